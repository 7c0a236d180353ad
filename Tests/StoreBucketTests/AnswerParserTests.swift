// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreBucket

/// The XML of a bucket's answers.
struct AnswerParserTests {
    private func parse(_ text: String) throws -> AnswerElement { try AnswerParser.parse(text.utf8) }

    @Test("A list of objects is read, with its namespace, entities and empty elements")
    func objects() throws {
        let list = try ObjectList(
            parse(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- a list -->
                <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                  <Name>fruit</Name><Prefix/><IsTruncated>true</IsTruncated>
                  <Contents><Key>a/b&amp;&#60;&#x3e;&quot;&apos;</Key><Size>3</Size></Contents>
                  <Contents>
                    <Key>c</Key><Owner><ID>1</ID></Owner>
                  </Contents>
                </ListBucketResult>
                """))
        #expect(list.keys == ["a/b&<>\"'", "c"])
        #expect(list.isTruncated)
    }

    @Test("Lists of uploads and of parts are read")
    func uploads() throws {
        let uploads = try UploadList(
            parse(
                """
                <ListMultipartUploadsResult><IsTruncated>false</IsTruncated>
                <Upload><Key>k</Key><UploadId>u+/=</UploadId></Upload><Upload><Key>x</Key></Upload>
                </ListMultipartUploadsResult>
                """))
        #expect(uploads.uploads == [.init(key: "k", upload: "u+/=")] && !uploads.isTruncated)
        let parts = try PartList(
            parse(
                """
                <s3:ListPartsResult xmlns:s3="x"><s3:UploadId>u</s3:UploadId><s3:Part>\
                <s3:PartNumber>1</s3:PartNumber><s3:ETag>"a&lt;"</s3:ETag><s3:Size>5242880</s3:Size></s3:Part></s3:ListPartsResult>
                """), of: "u")
        #expect(parts.parts == [.init(number: 1, tag: "\"a<\"", bytes: 5_242_880)])
        #expect(
            parts.parts.completion == """
                <CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"a&lt;"</ETag></Part>\
                </CompleteMultipartUpload>
                """)
    }

    @Test("The answer to another request, and a part without a size, are no lists")
    func others() throws {
        #expect(throws: AnswerParser.Malformed.self) { try ObjectList(parse("<html/>")) }
        #expect(throws: AnswerParser.Malformed.self) {
            try PartList(parse("<ListPartsResult><UploadId>u</UploadId></ListPartsResult>"), of: "other")
        }
        let part = "<Part><PartNumber>1</PartNumber></Part>"
        #expect(throws: AnswerParser.Malformed.self) {
            try PartList(parse("<ListPartsResult><UploadId>u</UploadId>\(part)</ListPartsResult>"), of: "u")
        }
    }

    @Test(
        "Malformed answers are refused",
        arguments: [
            "", " ", "text", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a", "<a>&copy;</a>", "<a>& b</a>", "<a>&#xZ;</a>",
            "<a>&#55296;</a>", "<a>&#99999999999;</a>", "<a>x", "x<a/>", "<a/>x",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>",
            "<a><![CDATA[b]]></a>", "<>", "</>", "<!-- a", "<? a",
        ])
    func malformed(_ text: String) {
        #expect(throws: AnswerParser.Malformed.self) { try parse(text) }
    }

    @Test("Bytes that aren't UTF-8 are refused")
    func encoding() {
        #expect(throws: AnswerParser.Malformed.self) { try AnswerParser.parse([0x3C, 0x61, 0xFF, 0x2F, 0x3E]) }
    }

    @Test("Elements are limited in number and in depth")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        func flat(_ count: Int) -> String { "<r>\(String(repeating: "<a/>", count: count))</r>" }
        _ = try parse(nested(AnswerParser.depth))
        #expect(throws: AnswerParser.Malformed.self) { try parse(nested(AnswerParser.depth + 1)) }
        #expect(try parse(flat(AnswerParser.elements - 1)).children.count == AnswerParser.elements - 1)
        #expect(throws: AnswerParser.Malformed.self) { try parse(flat(AnswerParser.elements)) }
    }

    @Test("Any cut of an answer is refused, and none ends the process")
    func cuts() {
        let text = "<?xml version=\"1.0\"?><a><b c=\"d\">&lt;</b><e/></a>"
        for count in 0..<text.utf8.count {
            #expect(throws: AnswerParser.Malformed.self) { try AnswerParser.parse(text.utf8.prefix(count)) }
        }
    }
}
