// SPDX-License-Identifier: Apache-2.0

/// The part of a representation that a request asks for (RFC 9110, section
/// 14). A request for several parts gets the whole, as section 14.2 allows.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// Reads the fields of a request for a representation with a strong
    /// `ETag`. A field that can't be read is ignored.
    init(range: String?, ifRange: String?, tag: String, length: Int64) {
        guard let range, ifRange.map({ $0 == tag }) ?? true else {
            self = .whole
            return
        }
        self = Self.parse(range, length) ?? .whole
    }

    private static func parse(_ text: String, _ length: Int64) -> ByteRange? {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
        let bounds = halves[1].trimmingBlanks.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return nil }
        switch (number(bounds[0]), number(bounds[1])) {
        case (let first?, let last?):
            guard first <= last else { return nil }
            return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            return first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let count?) where bounds[0].isEmpty:
            return count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        default:
            return nil
        }
    }

    /// A number that is too large for an `Int64` counts as the largest one.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Int64(text) ?? .max
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = drop(while: isBlank)
        return start[..<(start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex)]
    }
}
