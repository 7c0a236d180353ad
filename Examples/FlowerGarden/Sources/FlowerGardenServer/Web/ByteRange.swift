// SPDX-License-Identifier: Apache-2.0

/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Reads the Range field and the If-Range field. With the latter, the part
    /// is sent only if the file is still the one whose beginning the app has.
    init(_ field: String?, if condition: String?, tag: String, length: Int) {
        self = .whole
        guard let field, condition == nil || condition == tag, field.hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last) where last != nil || ends[1].isEmpty:
            guard first < length else { self = .unsatisfiable; return }
            let last = min(last ?? length - 1, length - 1)
            if first <= last { self = .part(first..<last + 1) }
        case (nil, let suffix?) where ends[0].isEmpty:
            self = suffix == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - suffix)..<length)
        default: break
        }
    }

    /// Digits alone: `Int` also reads signs.
    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
}
