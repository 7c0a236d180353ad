// SPDX-License-Identifier: Apache-2.0

/// The path of a file inside a content package, which stays inside of its
/// folder on every system: `ContentInfo.plist` or `Contents/…`.
///
/// Two paths are equal when their texts are canonically equivalent (Unicode
/// NFC), because some file systems take such texts for one name. Upper and
/// lower case differ.
package struct ContentPath: Hashable, Sendable {
    package let text: String

    /// The description of the package.
    package static let information = ContentPath(known: "ContentInfo.plist")
    /// The folder of all other files.
    package static let folder = "Contents"

    /// Checks a path.
    ///
    /// - Throws: ``ContentFormatError`` with the code `path`, which names the
    ///   path and the rule.
    package init(_ text: String) throws(ContentFormatError) {
        if let refusal = Self.refusal(of: text) {
            throw ContentFormatError(.path, "The path “\(text.printable)” \(refusal).")
        }
        self.text = text
    }

    private init(known text: String) {
        self.text = text
    }

    /// The names of the folders and of the file.
    package var parts: [Substring] { text.split(separator: "/", omittingEmptySubsequences: false) }

    /// The paths of the folders that contain the file, the outermost first.
    package var folders: [String] {
        text.indices.filter { text[$0] == "/" }.map { String(text[..<$0]) }
    }

    private static func refusal(of text: String) -> String? {
        if text.utf8.count > ContentLimits.pathBytes { return "has more than \(ContentLimits.pathBytes) bytes" }
        if text.utf8.contains(UInt8(ascii: "\\")) { return "has a backslash" }
        if text.unicodeScalars.contains(where: \.isControl) { return "has a control character" }
        // Split by bytes: a combining character after "/" makes one character of both.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.count > ContentLimits.depth { return "is deeper than \(ContentLimits.depth) folders" }
        for part in parts {
            if part.isEmpty { return "has an empty name" }
            if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) { return "leaves its folder" }
            if part.count > ContentLimits.partBytes {
                return "has a name of more than \(ContentLimits.partBytes) bytes"
            }
        }
        guard text.utf8.elementsEqual(information.text.utf8) || (parts.count > 1 && parts[0].elementsEqual(folder.utf8))
        else { return "is neither ContentInfo.plist nor in Contents" }
        return nil
    }
}

extension ContentPath: Comparable {
    /// Compares the bytes of the paths, which is the order of the manifest.
    package static func < (left: ContentPath, right: ContentPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension ContentPath: Codable {
    /// Reads and checks a path.
    ///
    /// - Throws: ``ContentFormatError``, or `DecodingError` for another type.
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    ///
    /// - Throws: `EncodingError`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension ContentPath: CustomStringConvertible {
    package var description: String { text }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension String {
    /// The beginning of the text, with a question mark for each control
    /// character, for a message.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(200).map { $0.isControl ? "?" : $0 }))
    }
}
