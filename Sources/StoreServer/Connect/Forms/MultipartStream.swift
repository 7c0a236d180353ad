// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Reads the body of a form with one file while it arrives
/// (`multipart/form-data`, RFC 7578): it keeps the fields, and returns the
/// bytes of the file.
///
/// The bytes that it keeps are fewer than those of a head, a field and a
/// delimiter.
struct MultipartStream {
    /// The fields before and after the file.
    private(set) var fields: [String: String] = [:]
    /// Whether the form has a file.
    private(set) var hasFile = false

    private enum Place {
        case beginning
        /// After a delimiter.
        case delimited
        case head
        case field(String)
        case file
        case end
    }

    private let delimiter: Data
    private var place = Place.beginning
    private var rest = Data()
    private var parts = 0
    private var fieldBytes = 0
    private var bytesAfterEnd = 0

    /// The most bytes after the last delimiter. RFC 7578 has none there, and
    /// browsers send a line end.
    static let mostBytesAfterEnd = 64 << 10

    private static let lineEnd = Data("\r\n".utf8)
    private static let headEnd = Data("\r\n\r\n".utf8)

    init(boundary: String) {
        delimiter = Data("\r\n--\(boundary)".utf8)
    }

    /// Whether the last delimiter has arrived.
    var isComplete: Bool { if case .end = place { true } else { false } }

    /// Takes the next bytes of the body.
    ///
    /// - Returns: The bytes of the file among them.
    /// - Throws: `StoreFailure` `malformed`.
    mutating func consume(_ bytes: Data) throws -> Data {
        rest.append(bytes)
        var file = Data()
        while try step(&file) {}
        return file
    }

    /// Passes over one part of the syntax; `false` when it isn't complete.
    private mutating func step(_ file: inout Data) throws -> Bool {
        switch place {
        case .beginning: return try skip(delimiter.dropFirst(2), to: .delimited)
        case .delimited: return try readDelimiterEnd()
        case .head: return try readHead()
        case .field(let name): return try readField(name)
        case .file: return readFile(&file)
        case .end:
            bytesAfterEnd += rest.count
            rest = Data()
            guard bytesAfterEnd <= Self.mostBytesAfterEnd else { throw MultipartForm.malformed }
            return false
        }
    }

    /// Passes over bytes that have to be next.
    private mutating func skip(_ bytes: Data, to next: Place) throws -> Bool {
        guard rest.count >= bytes.count else { return false }
        guard rest.starts(with: bytes) else { throw MultipartForm.malformed }
        drop(bytes.count)
        place = next
        return true
    }

    private mutating func readDelimiterEnd() throws -> Bool {
        guard rest.count >= 2 else { return false }
        guard !rest.starts(with: Data("--".utf8)) else {
            drop(2)
            place = .end
            return true
        }
        parts += 1
        guard parts <= MultipartForm.mostParts else { throw MultipartForm.malformed }
        return try skip(Self.lineEnd, to: .head)
    }

    private mutating func readHead() throws -> Bool {
        guard let end = rest.place(of: Self.headEnd) else {
            guard rest.count <= MultipartForm.longestHead else { throw MultipartForm.malformed }
            return false
        }
        let head = try MultipartHead(rest.prefix(end))
        drop(end + Self.headEnd.count)
        guard head.fileName != nil else {
            place = .field(head.name)
            return true
        }
        guard !hasFile else { throw MultipartForm.malformed }
        hasFile = true
        place = .file
        return true
    }

    private mutating func readField(_ name: String) throws -> Bool {
        let end = rest.place(of: delimiter)
        guard fieldBytes + (end ?? rest.count - delimiter.count) <= ConnectForm.limit else {
            throw MultipartForm.malformed
        }
        guard let end else { return false }
        guard let text = String(validating: rest.prefix(end), as: UTF8.self) else { throw MultipartForm.malformed }
        fields[name] = text
        fieldBytes += end
        drop(end + delimiter.count)
        place = .delimited
        return true
    }

    /// The end of the bytes may be the beginning of a delimiter.
    private mutating func readFile(_ file: inout Data) -> Bool {
        guard let end = rest.place(of: delimiter) else {
            let count = max(0, rest.count - delimiter.count + 1)
            file.append(rest.prefix(count))
            drop(count)
            return false
        }
        file.append(rest.prefix(end))
        drop(end + delimiter.count)
        place = .delimited
        return true
    }

    private mutating func drop(_ count: Int) {
        rest = Data(rest.dropFirst(count))
    }
}

extension Data {
    /// The number of bytes before some others; `nil` if they aren't there.
    fileprivate func place(of needle: Data) -> Int? {
        withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle -> Int? in
                guard let start = bytes.baseAddress, let sought = needle.baseAddress, let first = needle.first else {
                    return nil
                }
                var place = 0
                while place + needle.count <= bytes.count {
                    let places = bytes.count - needle.count - place + 1
                    guard let found = memchr(start + place, Int32(first), places) else { return nil }
                    place = UnsafeRawPointer(found) - start
                    if memcmp(start + place, sought, needle.count) == 0 { return place }
                    place += 1
                }
                return nil
            }
        }
    }
}
