// SPDX-License-Identifier: Apache-2.0

/// Finds the order in which SQLite numbers the parameters of a statement.
enum ParameterOrder {
    /// The numbers of `$1, $2 …` in the order of their first appearance.
    ///
    /// SQLite treats `$2` as a name, and counts names in this order. `nil`
    /// for a text that SQLite may divide in another way than this function: it
    /// has a comment, another kind of parameter, a cast (`$1::text`) or
    /// another rare element. The arguments are then bound by name.
    static func firstAppearances(in sql: String) -> [Int]? {
        var order: [Int] = []
        var quote: UInt8?
        var last: UInt8 = 0
        let bytes = sql.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            defer { last = byte }
            if let open = quote {
                if byte == open { quote = nil }
                guard byte != 0 else { return nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                quote = byte
            case UInt8(ascii: "-") where last == byte, UInt8(ascii: "*") where last == UInt8(ascii: "/"):
                return nil
            case 0, UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "["),
                UInt8(ascii: "`"):
                return nil
            case UInt8(ascii: "$"):
                guard !continuesName(last), let number = number(in: bytes, at: &index) else { return nil }
                if !order.contains(number) { order.append(number) }
            default: break
            }
        }
        return quote == nil ? order : nil
    }

    /// Reads a parameter's number, of at most five digits; `nil` when its
    /// name isn't such a number.
    private static func number(in bytes: String.UTF8View, at index: inout String.UTF8View.Index) -> Int? {
        var number = 0
        while index < bytes.endIndex, continuesName(bytes[index]) || bytes[index] == UInt8(ascii: "(") {
            let byte = bytes[index]
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), number < 10_000,
                number > 0 || byte != UInt8(ascii: "0")
            else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            bytes.formIndex(after: &index)
        }
        return number > 0 ? number : nil
    }

    /// Whether a byte continues a name in SQLite.
    private static func continuesName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}
