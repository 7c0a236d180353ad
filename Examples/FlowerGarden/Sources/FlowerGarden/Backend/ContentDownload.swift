// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A download that goes on where it ended, also at the next launch.
///
/// It asks for one piece after the other, and appends each to a file. The
/// entity tag beside that file makes sure that all pieces are of one version.
struct ContentDownload: Sendable {
    let client: GardenClient
    let product: String
    /// The file that is there when the download is complete.
    let file: URL
    var pieceLength = 256 << 10

    private var part: URL { file.appendingPathExtension("part") }
    private var tag: URL { file.appendingPathExtension("tag") }

    /// The bytes that are on disk.
    var received: Int { (try? Data(contentsOf: part).count) ?? 0 }

    /// Downloads the rest.
    func run() async throws {
        while try await !loadPiece() { try Task.checkCancellation() }
    }

    /// Loads one piece.
    ///
    /// - Returns: Whether the file is complete.
    func loadPiece() async throws -> Bool {
        guard !FileManager.default.fileExists(atPath: file.path) else { return true }
        let known = try? String(contentsOf: tag, encoding: .utf8)
        let begun = known == nil ? Data() : (try? Data(contentsOf: part)) ?? Data()
        var fields = ["Range": "bytes=\(begun.count)-\(begun.count + pieceLength - 1)"]
        if let known { fields["If-Range"] = known }
        let (data, response) = try await client.send("GET", "content/\(product)", fields: fields)
        let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
        let total = range.split(separator: "/").last.flatMap { Int($0) }
        switch response.statusCode {
        case 206 where range.hasPrefix("bytes \(begun.count)-"):
            try write(begun + data, response.value(forHTTPHeaderField: "ETag"))
            return try begun.count + data.count == total && complete()
        case 200:
            // The content has changed: this is all of the new version.
            try write(data, response.value(forHTTPHeaderField: "ETag"))
            return try complete()
        case 416 where total == begun.count && known != nil:
            return try complete()
        default:
            try? FileManager.default.removeItem(at: tag)
            throw URLError(.badServerResponse)
        }
    }

    /// The tag is written after the bytes: without it, they aren't used.
    private func write(_ bytes: Data, _ newTag: String?) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let known = try? String(contentsOf: tag, encoding: .utf8)
        if known != newTag { try? FileManager.default.removeItem(at: tag) }
        try bytes.write(to: part, options: .atomic)
        if known != newTag, let newTag { try Data(newTag.utf8).write(to: tag, options: .atomic) }
    }

    private func complete() throws -> Bool {
        try DurableFile.place(part, at: file)
        try? FileManager.default.removeItem(at: tag)
        return true
    }
}
