// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreServer

/// Forms with a large file, whose bodies arrive in parts.
struct MultipartStreamTests {
    private static let file = TestContent.noise(3000) + Data("\r\n--X\r\n--XY\r\n-".utf8)

    private static func form(_ file: Data = file, end: String = "\r\n--XX--\r\n") -> Data {
        Data(
            "--XX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nA \"note\"\r\n--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.oskcontent\"\r\nContent-Type: application/octet-stream\r\n\r\n"
                .utf8) + file
            + Data(
                "\r\n--XX\r\nContent-Disposition: form-data; name=\"decision\"\r\n\r\nupload\(end)".utf8)
    }

    /// Reads a body in parts of a number of bytes.
    private static func read(_ body: Data, by count: Int) throws -> (stream: MultipartStream, file: Data) {
        var stream = MultipartStream(boundary: "XX")
        var (file, rest) = (Data(), body)
        while !rest.isEmpty {
            file += try stream.consume(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return (stream, file)
    }

    @Test("The file and the fields around it are read in parts of any size", arguments: [1, 2, 3, 7, 64, 9000])
    func divided(count: Int) throws {
        let read = try Self.read(Self.form(), by: count)
        #expect(read.file == Self.file && read.stream.isComplete && read.stream.hasFile)
        #expect(read.stream.fields == ["note": "A \"note\"", "decision": "upload"])
    }

    @Test("An empty file has no bytes, and a body that breaks off isn't complete")
    func ends() throws {
        let empty = try Self.read(Self.form(Data()), by: 5)
        #expect(empty.file.isEmpty && empty.stream.isComplete && empty.stream.hasFile)
        let broken = try Self.read(Self.form(end: ""), by: 5)
        #expect(broken.file == Self.file && !broken.stream.isComplete)
        #expect(broken.stream.fields["decision"] == nil)
    }

    @Test("Some bytes after the form are passed over, and a body with many more is refused", arguments: [7, 9000])
    func afterEnd(count: Int) throws {
        let rest = Data(repeating: 0x20, count: MultipartStream.mostBytesAfterEnd)
        let form = Self.form(end: "\r\n--XX--")
        let read = try Self.read(form + rest, by: count)
        #expect(read.file == Self.file && read.stream.isComplete)
        #expect(throws: StoreFailure.self) { _ = try Self.read(form + rest + Data([0x20]), by: count) }
    }

    @Test("A body of another syntax, with two files, or with a long head or field is refused")
    func malformed() throws {
        let head = "--XX\r\nContent-Disposition: form-data; name=\"a\""
        let bodies = [
            "xxxxx", "--XY\r\n", "--XX--x".replacing("--x", with: "xx"), "\(head)\r\n\r\n\u{1}\r\n--XXab",
            "\(head); x=\"\(String(repeating: "x", count: MultipartForm.longestHead))",
            "\(head)\r\n\r\n\(String(repeating: "x", count: ConnectForm.limit + 100))",
            "--XX\r\nContent-Disposition: form-data\r\n\r\n",
            String(repeating: "\(head)\r\n\r\nx\r\n", count: MultipartForm.mostParts + 1) + "--XX--",
            "\(head); filename=\"a\"\r\n\r\nx\r\n\(head); filename=\"b\"\r\n\r\ny\r\n--XX--",
        ]
        for body in bodies {
            #expect(throws: StoreFailure.self, "\(body.prefix(60))") { _ = try Self.read(Data(body.utf8), by: 100_000) }
        }
    }
}
