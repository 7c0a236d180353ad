// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes a Swift file with the contents of other files: `embed-files CODE FILE ...`.
///
/// A file becomes a raw string, which the compiler reads as one token.
struct Embedding {
    private var members: [String: String] = [:]

    mutating func add(_ file: URL) throws(Failure) {
        guard let data = try? Data(contentsOf: file) else { throw Failure("\(file.path) can't be read.") }
        // Bytes, because CR LF is one Character, which isn't equal to CR.
        guard !data.contains(0), !data.contains(UInt8(ascii: "\r")), let text = String(data: data, encoding: .utf8)
        else {
            throw Failure("\(file.path) isn't a text in UTF-8 with line feeds.")
        }
        let name = String(file.lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        guard members.updateValue(Self.literal(text), forKey: name) == nil else {
            throw Failure("Two embedded files are called \(file.lastPathComponent): rename \(file.path).")
        }
    }

    var code: String {
        let declarations = members.sorted { $0.key < $1.key }.map { name, literal in
            "    static let \(name): [UInt8] = Array(\(literal).utf8)\n"
        }
        return "enum PackageResources {\n\(declarations.joined())}\n"
    }

    /// A raw string with so many number signs that nothing in the text ends it or is an escape of it.
    private static func literal(_ text: String) -> String {
        var signs = "#"
        while text.contains("\"\"\"\(signs)") || text.contains("\\\(signs)") { signs += "#" }
        return "\(signs)\"\"\"\n\(text)\n\"\"\"\(signs)"
    }
}

struct Failure: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

do {
    let paths = CommandLine.arguments.dropFirst()
    guard let code = paths.first else { throw Failure("usage: embed-files CODE FILE ...") }
    var embedding = Embedding()
    for path in paths.dropFirst() { try embedding.add(URL(filePath: path)) }
    try Data(embedding.code.utf8).write(to: URL(filePath: code), options: .atomic)
} catch let failure as Failure {
    FileHandle.standardError.write(Data("error: \(failure.message)\n".utf8))
    exit(1)
}
