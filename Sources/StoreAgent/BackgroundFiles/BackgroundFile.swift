// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreDatabase

/// A download of a file from a seller's server, as the journal has it.
package struct BackgroundFile: Sendable, Hashable {
    package enum Phase: String, Sendable {
        /// The file isn't complete.
        case running
        /// The file is in its place.
        case finished
        case failed
        /// The app has ended the download; its files are still there.
        case ended
    }

    /// The largest number of downloads of an app that aren't ended.
    static let limit = 100
    /// The largest number of bytes of a file.
    static let sizeLimit: Int64 = 64 << 30

    /// Numbers the download in the journal, and names its folder.
    let sequence: Int64
    package let identifier: String
    package let address: String
    let fields: [String: String]
    /// In milliseconds since 1970.
    var deadline: Int64
    package var phase = Phase.running
    /// The bytes that are on disk durably.
    package var received: Int64 = 0
    package var length: Int64?
    /// The strong entity tag of the bytes on disk, with its quotes; `nil`: a
    /// transfer begins anew.
    var tag: String?
    /// Numbers the transfers that began anew, and names the file.
    var generation: Int64 = 0
    package var failure: BackgroundFileFailure?
    /// The place of the file when it is finished.
    package var file: URL?

    /// The name of the piece of work.
    var work: String { "file:\(sequence)" }
}

extension BackgroundFile {
    init(_ row: Row) throws {
        let phase: String = try row.get("phase")
        guard let phase = Phase(rawValue: phase) else {
            throw DatabaseError(.newerSchema, "A background download is in the phase \"\(phase)\", unknown here.")
        }
        self.init(
            sequence: try row.get("sequence"), identifier: try row.get("identifier"),
            address: try row.get("address"),
            fields: try JournalJSON.decode([String: String].self, row.get("fields")) ?? [:],
            deadline: try row.get("deadline"), phase: phase, received: try row.get("received"),
            length: try row.get("length"), tag: try row.get("tag"), generation: try row.get("generation"),
            failure: try JournalJSON.decode(BackgroundFileFailure.self, row.get("failure")))
    }

    static func load(_ connection: any Connection, _ sequence: Int64) throws -> BackgroundFile? {
        try connection.row("SELECT * FROM background_download WHERE sequence = $1", [sequence])
            .map { try BackgroundFile($0) }
    }

    /// The download of an identifier that isn't ended.
    static func load(_ connection: any Connection, identifier: String) throws -> BackgroundFile? {
        try connection.rows("SELECT * FROM background_download WHERE identifier = $1", [identifier])
            .map { try BackgroundFile($0) }.first { $0.phase != .ended }
    }

    /// The downloads in some phases, in the order in which they were started.
    static func load(_ connection: any Connection, in phases: [Phase]) throws -> [BackgroundFile] {
        try phases.flatMap { phase in
            try connection.rows("SELECT * FROM background_download WHERE phase = $1", [phase.rawValue])
                .map { try BackgroundFile($0) }
        }.sorted { $0.sequence < $1.sequence }
    }

    func save(_ connection: any Connection) throws {
        let change: Int64? = try connection.row("UPDATE journal SET change = change + 1 RETURNING change")?
            .get("change")
        try connection.run(
            """
            INSERT INTO background_download (sequence, identifier, address, fields, deadline, phase, received, length,
                tag, generation, failure, change)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (sequence) DO UPDATE SET deadline = $5, phase = $6, received = $7, length = $8, tag = $9,
                generation = $10, failure = $11, change = $12
            """,
            [
                sequence, identifier, address, try JournalJSON.encode(fields), deadline, phase.rawValue, received,
                length, tag, generation, try JournalJSON.encode(failure), change ?? 0,
            ])
    }
}
