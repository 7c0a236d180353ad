// SPDX-License-Identifier: Apache-2.0

/// A property list in a transaction receipt: a dictionary of strings in
/// NeXTSTEP's notation.
///
/// ```
/// {
///     "signing-status" = "0";
/// }
/// ```
///
/// A value that isn't a string is refused, so lists are never nested. The
/// parser is written by hand because Foundation's parser of this notation
/// accepts many other forms, and Foundation has no writer for it.
struct StringPropertyList: Hashable {
    /// Keys and values, in their order.
    private(set) var entries: [Entry]

    struct Entry: Hashable {
        var key: String
        var value: String
    }

    init(_ entries: [(String, String)]) {
        self.entries = entries.map(Entry.init)
    }

    /// The values by their keys.
    var dictionary: [String: String] {
        Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The list in the only form that a store writes: a tab before and a line
    /// break after each entry, and no line break at the end.
    var encoded: [UInt8] {
        var bytes = Array("{\n".utf8)
        for entry in entries {
            bytes.append(UInt8(ascii: "\t"))
            Self.append(entry.key, to: &bytes)
            bytes.append(contentsOf: " = ".utf8)
            Self.append(entry.value, to: &bytes)
            bytes.append(contentsOf: ";\n".utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension StringPropertyList {
    /// Reads a list, and throws if anything but white space follows it.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed``.
    init(parsing bytes: some Collection<UInt8>) throws(AppReceiptError) {
        var reader = Reader(bytes: Array(bytes))
        entries = try reader.document()
    }

    private struct Reader {
        let bytes: [UInt8]
        private var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func document() throws(AppReceiptError) -> [Entry] {
            var entries: [Entry] = []
            var keys: Set<String> = []
            try expect("{")
            while !take("}") {
                let key = try string()
                try expect("=")
                let value = try string()
                try expect(";")
                guard keys.insert(key).inserted else { throw malformed("\(key) is there twice") }
                entries.append(Entry(key: key, value: value))
            }
            skipSpace()
            guard index == bytes.count else { throw malformed("bytes behind the end") }
            return entries
        }

        private func malformed(_ what: String) -> AppReceiptError {
            AppReceiptError(.malformed, "Not a property list of strings at byte \(index): \(what)")
        }

        private mutating func skipSpace() {
            while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
            index += 1
            return true
        }

        private mutating func expect(_ character: Unicode.Scalar) throws(AppReceiptError) {
            guard take(character) else { throw malformed("no \(character)") }
        }

        /// Reads a string in quotation marks, or a bare word.
        private mutating func string() throws(AppReceiptError) -> String {
            var text: [UInt8] = []
            if take("\"") {
                while true {
                    guard index < bytes.count else { throw malformed("no end of a string") }
                    let byte = bytes[index]
                    index += 1
                    if byte == UInt8(ascii: "\"") { break }
                    text.append(byte == UInt8(ascii: "\\") ? try escaped() : byte)
                }
            } else {
                while index < bytes.count, Self.isOfWord(bytes[index]) {
                    text.append(bytes[index])
                    index += 1
                }
                guard !text.isEmpty else { throw malformed("no string") }
            }
            guard let string = String(validating: text, as: UTF8.self) else { throw malformed("not UTF-8") }
            return string
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }

        private mutating func escaped() throws(AppReceiptError) -> UInt8 {
            guard index < bytes.count else { throw malformed("no end of a string") }
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return byte
            case UInt8(ascii: "n"): return 0x0A
            case UInt8(ascii: "r"): return 0x0D
            case UInt8(ascii: "t"): return 0x09
            default: throw malformed("an unknown escape")
            }
        }
    }
}
