// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parts of a response that a benchmark uses.
struct HTTPResponse: Sendable {
    let head: Head
    let body: Data

    var status: Int { head.status }

    /// The status line and the headers, stored as bytes: most are never read.
    struct Head: Sendable {
        /// The length with the empty line that ends the head.
        let length: Int
        let status: Int
        private let lines: [ArraySlice<UInt8>]

        /// Reads the head at the beginning of some bytes; `nil` while it is
        /// incomplete.
        init?(_ bytes: [UInt8]) {
            var lines: [ArraySlice<UInt8>] = []
            var start = 0
            while let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes[start..<feed].dropLast()
                start = feed + 1
                guard line.isEmpty else {
                    lines.append(line)
                    continue
                }
                length = start
                status = lines.first.flatMap { Int(String(decoding: $0.dropFirst(9).prefix(3), as: UTF8.self)) } ?? 0
                self.lines = lines
                return
            }
            return nil
        }

        /// The value of the first header with a name, which is in lower case.
        subscript(name: StaticString) -> String? {
            let count = name.utf8CodeUnitCount
            return name.withUTF8Buffer { name in
                let line = lines.first { line in
                    // The cases of a letter differ in bit 5 only.
                    line.count > count && line[line.startIndex + count] == UInt8(ascii: ":")
                        && zip(line, name).allSatisfy { $0 | 0x20 == $1 }
                }
                return line.map {
                    String(decoding: $0.dropFirst(count + 1).drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
                }
            }
        }

        var contentLength: Int? { self["content-length"].flatMap { Int($0) } }
    }
}
