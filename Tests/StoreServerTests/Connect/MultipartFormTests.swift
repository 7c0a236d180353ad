// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreServer

/// Forms with files, as browsers send them and as they don't.
struct MultipartFormTests {
    private func form(_ text: String, boundary: String = "XX") throws -> MultipartForm {
        try MultipartForm(Data(text.replacing("\n", with: "\r\n").utf8), boundary: boundary)
    }

    @Test("Fields and a file are read as a browser writes them")
    func browser() throws {
        let read = try form(
            """
            --XX
            Content-Disposition: form-data; name="decision"

            upload
            --XX
            Content-Disposition: form-data; name="file"; filename="my; %22own%22.storekit"
            Content-Type: application/octet-stream

            {
              "a" : "--XX"
            }

            --XX--

            """)
        #expect(read.fields == ["decision": "upload"])
        #expect(read.file?.name == "my; \"own\".storekit")
        #expect(read.file.map { String(decoding: $0.contents, as: UTF8.self) } == "{\r\n  \"a\" : \"--XX\"\r\n}\r\n")
    }

    @Test("A field without a chosen file has none")
    func empty() throws {
        let read = try form(
            "--XX\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\n\n\n--XX--\n")
        #expect(read.file == nil && read.fields.isEmpty)
    }

    @Test(
        "A body that isn't such a form is refused",
        arguments: [
            "", "--XX", "--XX--x", "--YY\n\n\n--YY--", "--XX\n", "--XX\nContent-Disposition: form-data\n\nx\n--XX--",
            "--XX\nContent-Disposition: form-data; name=a\n\nx\n--XX--", "--XX\n\n\n--XX--",
            "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx",
            String(repeating: "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\n", count: 60) + "--XX--",
            "--XX\nX: " + String(repeating: "x", count: 5000)
                + "\nContent-Disposition: form-data; name=\"a\"\n\nx\n--XX--",
        ])
    func malformed(text: String) throws {
        if text == "--XX--x" {
            // The end of the form is there: the rest doesn't count.
            #expect(try form(text).fields.isEmpty)
        } else {
            #expect(throws: StoreFailure.self) { try form(text) }
        }
    }

    @Test("Any bytes are read or refused, and end nothing else")
    func bytes() {
        var generator = SeededGenerator(seed: 1)
        let parts = [
            "--XX", "\r\n", "Content-Disposition: form-data; name=\"a\"", "; filename=\"", "\"", "\r\n\r\n", "--",
            "\u{0}é",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
                parts.randomElement(using: &generator)
            }
            _ = try? MultipartForm(Data(text.joined().utf8), boundary: "XX")
        }
    }

    @Test("The delimiter is that of the content type")
    func boundary() {
        #expect(MultipartForm.boundary(of: "multipart/form-data; boundary=----WebKit12") == "----WebKit12")
        #expect(MultipartForm.boundary(of: "Multipart/Form-Data; charset=utf-8; boundary=\"a b\"") == "a b")
        for other in ["application/x-www-form-urlencoded", "multipart/form-data", "multipart/mixed; boundary=x", ""] {
            #expect(MultipartForm.boundary(of: other) == nil)
        }
    }
}
