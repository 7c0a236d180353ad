// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// A form with files as a browser sends it (`multipart/form-data`, RFC 7578).
struct MultipartForm: Sendable {
    var fields: [String: String] = [:]
    /// The bytes of the chosen files by the names of their fields. The name
    /// and the type that the browser gives to a file are left out.
    var files: [String: Data] = [:]

    /// The most parts of a form.
    private static let parts = 500
    /// The most bytes of a part's header.
    private static let longestHeader = 4 << 10
    private static let lineEnd = Data("\r\n".utf8)

    /// The boundary of a content type; `nil` for another type of form.
    static func boundary(of type: String) -> String? {
        let parameters = type.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parameters.first?.lowercased() == "multipart/form-data" else { return nil }
        let value = parameters.lazy.compactMap { parameter -> String? in
            guard let equals = parameter.firstIndex(of: "="),
                parameter[..<equals].lowercased() == "boundary"
            else { return nil }
            return parameter[parameter.index(after: equals)...].trimmingCharacters(in: ["\""])
        }.first
        guard let value, (1...70).contains(value.utf8.count) else { return nil }
        return value
    }

    /// Reads the parts of a body.
    ///
    /// - Throws: `StoreFailure` `malformed`.
    init(reading body: Data, boundary: String) throws {
        let malformed = StoreFailure(.malformed, "The form can't be read.")
        let mark = Data("--\(boundary)".utf8)
        guard body.starts(with: mark) else { throw malformed }
        var rest = body.dropFirst(mark.count)
        let separator = Self.lineEnd + mark
        for _ in 0..<Self.parts {
            if rest.starts(with: Data("--".utf8)) { return }
            guard rest.starts(with: Self.lineEnd) else { throw malformed }
            rest = rest.dropFirst(2)
            let blank = Self.lineEnd + Self.lineEnd
            guard let head = rest.prefix(Self.longestHeader).range(of: blank),
                let end = rest[head.upperBound...].range(of: separator)
                    ?? (rest[head.upperBound...].starts(with: mark) ? head.upperBound..<head.upperBound : nil)
            else { throw malformed }
            try take(rest[head.upperBound..<end.lowerBound], header: rest[..<head.lowerBound], malformed)
            rest = rest[end.upperBound...]
        }
        throw malformed
    }

    private mutating func take(_ value: Data, header: Data, _ malformed: StoreFailure) throws {
        guard let header = String(bytes: header, encoding: .utf8),
            let disposition = header.split(separator: "\r\n").first(where: {
                $0.lowercased().hasPrefix("content-disposition:")
            }), let name = Self.parameter("name", of: disposition)
        else { throw malformed }
        if let file = Self.parameter("filename", of: disposition) {
            // A browser sends an empty file for a field without a choice.
            if !(file.isEmpty && value.isEmpty) { files[name] = files[name] ?? Data(value) }
        } else {
            guard let text = String(bytes: value, encoding: .utf8) else { throw malformed }
            fields[name] = fields[name] ?? text
        }
    }

    /// A quoted parameter, in which browsers write `%22` for a quotation
    /// mark.
    private static func parameter(_ name: String, of header: Substring) -> String? {
        guard let start = header.range(of: "; \(name)=\"") else { return nil }
        let rest = header[start.upperBound...]
        guard let end = rest.firstIndex(of: "\"") else { return nil }
        return rest[..<end].replacingOccurrences(of: "%22", with: "\"")
    }
}
