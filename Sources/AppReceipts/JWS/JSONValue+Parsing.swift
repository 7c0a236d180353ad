// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Reads one JSON value, and throws if bytes follow it.
    ///
    /// An object with a duplicate name is refused, and so is a value that is
    /// nested in more than 32 arrays and objects.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed``.
    public init(parsing text: String) throws(AppReceiptError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The deepest nesting of arrays and objects.
    static let deepest = 32

    /// Reads one JSON value (RFC 8259), and throws if bytes follow it.
    ///
    /// The parser is written by hand because signed JSON must have one
    /// meaning only: it refuses duplicate names and keeps the text of
    /// numbers, and Foundation's decoder does neither. Time and memory are
    /// linear.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed``.
    init(parsing bytes: some Collection<UInt8>) throws(AppReceiptError) {
        var reader = JSONReader(bytes: Array(bytes))
        self = try reader.document()
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(AppReceiptError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw malformed("bytes behind the end") }
        return value
    }

    private func malformed(_ what: String) -> AppReceiptError {
        AppReceiptError(.malformed, "Not JSON at byte \(index): \(what)")
    }

    private mutating func skipSpace() {
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(AppReceiptError) -> JSONValue {
        guard depth <= JSONValue.deepest else { throw malformed("nested too deeply") }
        skipSpace()
        guard index < bytes.count else { throw malformed("it ends too early") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(AppReceiptError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw malformed("an unknown word") }
        index += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(AppReceiptError) -> JSONValue {
        index += 1
        skipSpace()
        if take("}") { return .object([:]) }
        var found: [(name: String, value: JSONValue)] = []
        repeat {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw malformed("no name") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw malformed("no colon") }
            found.append((name, try value(depth: depth + 1)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw malformed("no end of an object") }
        // The number of members is known here, so the dictionary doesn't have
        // to grow.
        var members = [String: JSONValue](minimumCapacity: found.count)
        for (name, value) in found {
            guard members.updateValue(value, forKey: name) == nil else { throw malformed("\(name) is there twice") }
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(AppReceiptError) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(values) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw malformed("no end of an array") }
        return .array(values)
    }

    private mutating func number() throws(AppReceiptError) -> String {
        let start = index
        func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
        func digits(_ reader: inout JSONReader) -> Int {
            let first = reader.index
            while reader.index < reader.bytes.count, isDigit(reader.bytes[reader.index]) { reader.index += 1 }
            return reader.index - first
        }
        _ = take("-")
        if !take("0"), digits(&self) == 0 { throw malformed("an unknown value") }
        if take("."), digits(&self) == 0 { throw malformed("no digits behind the point") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if digits(&self) == 0 { throw malformed("no exponent") }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func string() throws(AppReceiptError) -> String {
        index += 1
        let plain = plainText()
        if take("\"") { return try decoded(plain) }
        var text = Array(plain)
        while take("\\") {
            text.append(contentsOf: try escaped())
            text.append(contentsOf: plainText())
        }
        guard take("\"") else { throw malformed(index < bytes.count ? "a control character" : "no end of a string") }
        return try decoded(text[...])
    }

    /// The text before the next quote, escape or control character.
    private mutating func plainText() -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
            bytes[index] != UInt8(ascii: "\\")
        {
            index += 1
        }
        return bytes[start..<index]
    }

    private func decoded(_ text: ArraySlice<UInt8>) throws(AppReceiptError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else { throw malformed("not UTF-8") }
        return string
    }

    private mutating func escaped() throws(AppReceiptError) -> [UInt8] {
        guard index < bytes.count else { throw malformed("no end of a string") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try scalar()
        default: throw malformed("an unknown escape")
        }
    }

    /// Reads four hexadecimal digits, or two escapes that are a surrogate
    /// pair.
    private mutating func scalar() throws(AppReceiptError) -> [UInt8] {
        var code = try codeUnit()
        if 0xD800..<0xDC00 ~= code {
            guard take("\\"), take("u") else { throw malformed("half of a surrogate pair") }
            let low = try codeUnit()
            guard 0xDC00..<0xE000 ~= low else { throw malformed("half of a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed("half of a surrogate pair") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func codeUnit() throws(AppReceiptError) -> UInt32 {
        guard bytes.count - index >= 4 else { throw malformed("no end of an escape") }
        var code: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw malformed("not a hexadecimal digit")
            }
            code = code << 4 | UInt32(digit)
        }
        index += 4
        return code
    }
}
