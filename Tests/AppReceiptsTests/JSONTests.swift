// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import AppReceipts

struct JSONTests {
    @Test(
        "JSONValue writes the text that it has read",
        arguments: [
            "null", "true", "false", "0", "-0", "12", "-1.5e+10", "1E400", "\"\"", "[]", "{}", "[1,[2,[]]]",
            "{\"a\":{\"b\":[null,true]},\"é\":\"\u{1F34E}\"}", "\"\\u0000\\\"\\\\\"",
        ])
    func writesWhatItReads(text: String) throws {
        #expect(try JSONValue(parsing: text.utf8).encoded == text)
    }

    @Test("JSONValue reads escapes and white space") func readsEscapesAndSpace() throws {
        let text = " { \"a\" : [ \"\\u00e9\\ud83c\\udf4e\\/\\b\\f\\n\\r\\t\" , 1 ] }\n"

        #expect(
            try JSONValue(parsing: text.utf8)
                == .object(["a": .array([.string("\u{E9}\u{1F34E}/\u{8}\u{C}\n\r\t"), .number("1")])]))
    }

    @Test(
        "A text that isn't valid JSON, or has a key twice, is malformed",
        arguments: [
            "", " ", "nul", "truefalse", "01", "1.", ".5", "+1", "1e", "-", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"",
            "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "[1,]", "[1 2]", "[", "{", "{\"a\"}",
            "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "1 1", "NaN", "'a'",
        ])
    func refusesWhatIsNotJSON(text: String) {
        #expect(throws: AppReceiptError(.malformed, "")) { try JSONValue(parsing: text.utf8) }
    }

    @Test("Bytes that aren't UTF-8 are malformed") func refusesWhatIsNotUTF8() {
        #expect(throws: AppReceiptError(.malformed, "")) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    }

    @Test("JSON that is nested beyond the limit is malformed") func refusesWhatIsNestedTooDeeply() throws {
        func nested(_ depth: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        }
        #expect(throws: Never.self) { try JSONValue(parsing: nested(JSONValue.deepest)) }
        #expect(throws: AppReceiptError(.malformed, "")) { try JSONValue(parsing: nested(JSONValue.deepest + 2)) }
        #expect(throws: AppReceiptError(.malformed, "")) { try JSONValue(parsing: nested(1_000_000)) }
    }
}

struct Base64Tests {
    @Test("Base64 agrees with Foundation for up to 199 bytes") func agreesWithFoundation() {
        var random = SeededGenerator(seed: 40)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let standard: String = Base64.standard.encode(bytes)
            let url: String = Base64.url.encode(bytes)
            #expect(standard == Data(bytes).base64EncodedString())
            #expect(Base64.standard.decode(standard.utf8) == bytes)
            #expect(Base64.url.decode(url.utf8) == bytes)
        }
    }

    @Test(
        "Base64 refuses a second text for the same bytes, and other letters",
        arguments: ["A", "AB", "AB=", "AB==A", "AA=A", "====", "AB==", "AAB=", "A A=", "AAA=\n", "AA-_"])
    func refusesASecondTextForTheSameBytes(text: String) {
        #expect(Base64.standard.decode(text.utf8) == nil)
    }

    @Test(
        "Base64 in the URL alphabet refuses padding, spare bits and letters of the standard alphabet",
        arguments: ["A", "AB", "AAB", "AA==", "AA+/", "AAAAA"])
    func refusesItInTheURLAlphabetToo(text: String) {
        #expect(Base64.url.decode(text.utf8) == nil)
    }
}
