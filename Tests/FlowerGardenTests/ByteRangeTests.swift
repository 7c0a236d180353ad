// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FlowerGardenServer

/// The Range and If-Range fields of a download.
struct ByteRangeTests {
    private func range(_ field: String?, if condition: String? = nil, length: Int = 10) -> ByteRange {
        ByteRange(field, if: condition, tag: "\"a\"", length: length)
    }

    @Test("A range within the file is a part, and a longer one ends with the file")
    func parts() {
        #expect(range("bytes=0-3") == .part(0..<4))
        #expect(range("bytes=4-") == .part(4..<10))
        #expect(range("bytes=4-99") == .part(4..<10))
        #expect(range("bytes=-3") == .part(7..<10))
        #expect(range("bytes=-30") == .part(0..<10))
        #expect(range("bytes=4-", if: "\"a\"") == .part(4..<10))
    }

    @Test("Another version is sent whole, and so is a file whose range can't be read")
    func whole() {
        #expect(range("bytes=4-", if: "\"b\"") == .whole)
        for field in [
            nil, "", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=+1-2", "bytes=0-1,3-4", "lines=0-1",
            "bytes=99999999999999999999-",
        ] { #expect(range(field) == .whole, "\(field ?? "none")") }
    }

    @Test("A range after the end can't be satisfied")
    func unsatisfiable() {
        #expect(range("bytes=10-") == .unsatisfiable)
        #expect(range("bytes=-0") == .unsatisfiable)
        #expect(range("bytes=0-", length: 0) == .unsatisfiable)
    }
}
