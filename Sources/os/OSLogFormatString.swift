// SPDX-License-Identifier: Apache-2.0

/// A message of `os_log` in the way of C: a format with conversions as `%{public}@`, `%{private}s` and `%d`.
///
/// The options in braces say whether a value is public; other options of Apple's, which name types, are ignored. A
/// conversion without an argument is written as it stands.
struct OSLogFormatString {
    private static let flags: Set<Character> = [
        "-", "+", " ", "#", "0", ".", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    ]
    private static let lengths: Set<Character> = ["h", "l", "q", "L", "z", "t", "j"]

    let format: String

    func text(_ arguments: [any CVarArg]) -> String {
        var text = ""
        var rest = format[...]
        var arguments = arguments[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            let conversion = Conversion(removedFrom: &rest)
            if conversion.kind == "%" {
                text += "%"
            } else if let argument = arguments.popFirst() {
                text += conversion.text(argument)
            } else {
                text += conversion.source
            }
        }
        return text + rest
    }

    private struct Conversion {
        var source = "%"
        var options = ""
        var flags = ""
        var kind: Character?

        init(removedFrom rest: inout Substring) {
            let begin = rest.startIndex
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                options = String(rest[..<end].dropFirst())
                rest = rest[end...].dropFirst()
            }
            while let next = rest.first,
                OSLogFormatString.flags.contains(next) || OSLogFormatString.lengths.contains(next)
            {
                if OSLogFormatString.flags.contains(next) { flags.append(next) }
                rest.removeFirst()
            }
            kind = rest.popFirst()
            source += rest.base[begin..<rest.startIndex]
        }

        func text(_ argument: any CVarArg) -> String {
            switch kind {
            case "d", "i", "u", "x", "X", "o", "c", "p":
                // A 64-bit value reads each integer that Swift passes.
                privacy.text(isPrivate: false) {
                    printed("%\(flags)\(kind == "c" || kind == "p" ? "" : "l")", argument)
                }
            case "f", "F", "e", "E", "g", "G", "a", "A":
                privacy.text(isPrivate: false) { printed("%\(flags)", argument) }
            case "s" where argument is UnsafePointer<CChar>:
                privacy.text(isPrivate: true) { (argument as? UnsafePointer<CChar>).map { String(cString: $0) } ?? "" }
            default:
                privacy.text(isPrivate: true) { String(describing: argument) }
            }
        }

        private var privacy: OSLogPrivacy {
            let words = options.split { $0 == "," || $0 == " " }
            return words.contains("public")
                ? .public
                : words.contains("sensitive") ? .sensitive : words.contains("private") ? .private : .auto
        }

        private func printed(_ format: String, _ argument: any CVarArg) -> String {
            withVaList([argument]) { formatted(format + String(kind ?? "d"), $0) }
        }
    }
}

/// Returns the text that C's `vsnprintf` writes, at most 511 bytes of it.
func formatted(_ format: String, _ arguments: CVaListPointer) -> String {
    var bytes = [CChar](repeating: 0, count: 512)
    let count = Int(vsnprintf(&bytes, bytes.count, format, arguments))
    return String(
        decoding: bytes.prefix(max(0, min(count, bytes.count - 1))).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
