// SPDX-License-Identifier: Apache-2.0

import StoreCore
import Testing

/// The two forms of JSON with sorted keys.
struct SortedJSONTests {
    private static let value = ["b": "x/y", "a": "1", "c": ""]

    @Test("The text for a row escapes slashes, as the rows of earlier versions do")
    func row() throws {
        #expect(try SortedJSON.text(Self.value) == #"{"a":"1","b":"x\/y","c":""}"#)
    }

    @Test("The bytes of a message don't escape slashes")
    func message() throws {
        #expect(String(decoding: try SortedJSON.encode(Self.value), as: UTF8.self) == #"{"a":"1","b":"x/y","c":""}"#)
    }
}
