// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Reads the body of a form with a file (`multipart/form-data`, RFC 7578), as
/// browsers write it.
struct MultipartForm {
    private(set) var fields: [String: String] = [:]
    private(set) var file: ConnectForm.File?

    /// The most parts of a form.
    static let mostParts = 50
    /// The most bytes of the head of a part.
    static let longestHead = 4096

    /// The delimiter of the parts that a `Content-Type` names; `nil` for
    /// another type.
    static func boundary(of contentType: String) -> String? {
        let type = contentType.trimmingCharacters(in: .whitespaces)
        // Most forms have no file, and to match the pattern takes longer.
        guard type.lowercased().hasPrefix("multipart/form-data") else { return nil }
        let pattern = /multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))\s*(?:;.*)?/
        guard let match = try? pattern.ignoresCase().wholeMatch(in: type)
        else { return nil }
        return (match.1 ?? match.2).map(String.init)
    }

    /// - Throws: `StoreFailure` `malformed`.
    init(_ body: Data, boundary: String) throws {
        let delimiter = Data("\r\n--\(boundary)".utf8)
        let first = delimiter.dropFirst(2)
        guard body.starts(with: first) else { throw Self.malformed }
        var place = body.startIndex + first.count
        var count = 0
        while !body[place...].starts(with: Data("--".utf8)) {
            count += 1
            guard count <= Self.mostParts, body[place...].starts(with: Data("\r\n".utf8)),
                let end = body.range(of: delimiter, in: place..<body.endIndex)
            else { throw Self.malformed }
            try add(body[(place + 2)..<max(place + 2, end.lowerBound)])
            place = end.upperBound
        }
    }

    private mutating func add(_ part: Data) throws {
        guard let end = part.range(of: Data("\r\n\r\n".utf8)) else { throw Self.malformed }
        let head = try MultipartHead(part[..<end.lowerBound])
        let contents = part[end.upperBound...]
        if let fileName = head.fileName {
            guard file == nil else { throw Self.malformed }
            // A browser sends an empty file without a name when none was chosen.
            if !fileName.isEmpty || !contents.isEmpty {
                file = ConnectForm.File(name: fileName, contents: Data(contents))
            }
        } else {
            guard contents.count <= ConnectForm.limit, let text = String(validating: contents, as: UTF8.self) else {
                throw Self.malformed
            }
            fields[head.name] = text
        }
    }

    static var malformed: StoreFailure { StoreFailure(.malformed, "The form with the file can't be read.") }
}

/// The head of a part: the name of its field, and that of its file.
struct MultipartHead {
    let name: String
    /// `nil` for a field without a file.
    let fileName: String?

    /// - Throws: `StoreFailure` `malformed`.
    init(_ bytes: Data) throws {
        guard bytes.count <= MultipartForm.longestHead, let head = String(validating: bytes, as: UTF8.self) else {
            throw MultipartForm.malformed
        }
        let lines = head.split(separator: "\r\n").map(String.init)
        guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
            let name = Self.parameter("name", of: line)
        else { throw MultipartForm.malformed }
        self.name = name
        fileName = Self.parameter("filename", of: line)
    }

    /// A parameter of a `Content-Disposition`, in which browsers write a
    /// quotation mark as `%22`.
    private static func parameter(_ name: String, of line: String) -> String? {
        for match in line.matches(of: /;\s*([A-Za-z]+)\s*=\s*"([^"]*)"/) where match.1.lowercased() == name {
            return String(match.2).replacing("%22", with: "\"")
        }
        return nil
    }
}
