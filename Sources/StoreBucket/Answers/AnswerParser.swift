// SPDX-License-Identifier: Apache-2.0

/// Reads the XML of a bucket's answers: elements, text and the predefined
/// entities (XML 1.0, section 4.6).
///
/// Document types are refused, so that an answer can neither name files nor
/// grow while it is read. The number and the depth of elements are limited;
/// the caller limits the bytes.
struct AnswerParser {
    /// The most elements of an answer: 1,000 keys have about ten each.
    static let elements = 20_000
    static let depth = 16

    /// The error of an answer that isn't such XML.
    struct Malformed: Error, Hashable {
        var reason: String
    }

    private var rest: Substring.UTF8View
    /// The elements that aren't closed yet, the outermost first.
    private var open: [AnswerElement] = []
    private var root: AnswerElement?
    private var count = 0

    private init(_ text: String) {
        rest = text[...].utf8
    }

    /// Reads an answer.
    ///
    /// - Throws: ``Malformed``.
    static func parse(_ bytes: some Sequence<UInt8>) throws -> AnswerElement {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw Malformed(reason: "it isn't UTF-8")
        }
        var parser = AnswerParser(text)
        while !parser.rest.isEmpty { try parser.step() }
        guard let root = parser.root, parser.open.isEmpty else { throw Malformed(reason: "it ends early") }
        return root
    }

    /// Reads text up to the next tag, and the tag.
    private mutating func step() throws {
        let text = rest.prefix { $0 != UInt8(ascii: "<") }
        rest = rest[text.endIndex...]
        try append(text)
        guard !rest.isEmpty else { return }
        if skip("<!--") {
            try read(through: "-->")
        } else if skip("<?") {
            try read(through: "?>")
        } else if skip("</") {
            try close(String(Substring(try read(through: ">"))))
        } else if skip("<!") {
            throw Malformed(reason: "it has a declaration")
        } else {
            _ = skip("<")
            try begin(Substring(try read(through: ">")))
        }
    }

    /// Adds text to the innermost open element.
    private mutating func append(_ text: Substring.UTF8View) throws {
        guard var element = open.popLast() else {
            guard text.allSatisfy(Self.isBlank) else { throw Malformed(reason: "it has text outside of its element") }
            return
        }
        element.text += try Self.decoded(Substring(text))
        open.append(element)
    }

    private mutating func begin(_ tag: Substring) throws {
        let isEmpty = tag.hasSuffix("/")
        let name = tag.utf8.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "/") }
        count += 1
        guard !name.isEmpty, root == nil, count <= Self.elements, open.count < Self.depth else {
            throw Malformed(reason: "it has too many elements, or one without a name")
        }
        open.append(AnswerElement(Self.local(Substring(name))))
        if isEmpty { try close(String(Substring(name))) }
    }

    private mutating func close(_ tag: String) throws {
        let name = Self.local(Substring(tag.utf8.prefix { !Self.isBlank($0) }))
        guard let element = open.popLast(), element.name == name else {
            throw Malformed(reason: "its elements aren't nested")
        }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let bytes = text.description.utf8
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// The text before a mark; the mark is skipped.
    @discardableResult
    private mutating func read(through mark: StaticString) throws -> Substring.UTF8View {
        let start = rest
        while !rest.isEmpty {
            let end = rest.startIndex
            if skip(mark) { return start[start.startIndex..<end] }
            rest = rest.dropFirst()
        }
        throw Malformed(reason: "it ends early")
    }

    private static func local(_ name: Substring) -> String {
        String(name.split(separator: ":", omittingEmptySubsequences: false).last ?? "")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static let entities: [Substring: String] = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    private static func decoded(_ text: Substring) throws -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        var decoded = ""
        var rest = text
        while let mark = rest.firstIndex(of: "&") {
            decoded += rest[..<mark]
            guard let end = rest[mark...].firstIndex(of: ";") else { throw Malformed(reason: "it has a lone &") }
            decoded += try character(rest[rest.index(after: mark)..<end])
            rest = rest[rest.index(after: end)...]
        }
        return decoded + rest
    }

    private static func character(_ entity: Substring) throws -> String {
        if let known = entities[entity] { return known }
        let digits = entity.hasPrefix("#x") ? entity.dropFirst(2) : entity.dropFirst()
        guard entity.hasPrefix("#"), digits.utf8.count <= 8,
            let number = UInt32(digits, radix: entity.hasPrefix("#x") ? 16 : 10),
            let scalar = Unicode.Scalar(number)
        else { throw Malformed(reason: "it has an entity that isn't predefined") }
        return String(Character(scalar))
    }
}
