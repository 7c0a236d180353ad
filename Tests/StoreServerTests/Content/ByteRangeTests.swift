// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreServer

/// The part of a content that a request asks for.
struct ByteRangeTests {
    private static func range(_ text: String?, ifRange: String? = nil, length: Int64 = 1000) -> ByteRange {
        ByteRange(range: text, ifRange: ifRange, tag: "\"tag\"", length: length)
    }

    @Test(
        "A single range is a part",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-999", 0..<1000), ("bytes=500-", 500..<1000), ("bytes=-1", 999..<1000),
            ("bytes=-1000", 0..<1000), ("bytes=-5000", 0..<1000), ("bytes=10-99999999999999999999", 10..<1000),
            ("BYTES=1-2", 1..<3), ("bytes= 1-2 ", 1..<3), ("bytes=-99999999999999999999", 0..<1000),
        ] as [(String, Range<Int64>)])
    func parts(text: String, expected: Range<Int64>) {
        #expect(Self.range(text) == .part(expected))
    }

    @Test(
        "A range after the end is refused",
        arguments: ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])
    func unsatisfiable(text: String) {
        #expect(Self.range(text) == .unsatisfiable)
    }

    @Test(
        "Several ranges, and texts that are no range, get the whole",
        arguments: [
            nil, "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=1-2,3-4", "bytes=0x1-", "items=0-1",
            "bytes=1 - 2", "bytes=--1", "bytes=1-2-3", "bytes=+1-2", "bytes=\u{661}-",
        ])
    func whole(text: String?) {
        #expect(Self.range(text) == .whole)
    }

    @Test("A range counts only for the entity that the client has a part of")
    func ifRange() {
        #expect(Self.range("bytes=1-", ifRange: "\"tag\"") == .part(1..<1000))
        for other in ["\"other\"", "W/\"tag\"", "tag", "Wed, 21 Oct 2015 07:28:00 GMT", ""] {
            #expect(Self.range("bytes=1-", ifRange: other) == .whole)
        }
    }

    @Test("Every part is inside of the content, for every text")
    func property() {
        var generator = SeededGenerator(seed: 17)
        let parts = ["bytes", "=", "-", ",", " ", "0", "1", "999", "1000", "9223372036854775807", "x"]
        var found = 0
        for _ in 0..<50_000 {
            let count = Int.random(in: 1...6, using: &generator)
            let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            for length: Int64 in [1, 1000] {
                guard case .part(let range) = Self.range("bytes=\(text)", length: length) else { continue }
                found += 1
                #expect(range.lowerBound >= 0 && range.upperBound <= length && !range.isEmpty, "\(text)")
            }
        }
        #expect(found > 100)
    }
}
