// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreDatabase

extension Download {
    init(_ row: Row) throws {
        let phase: String = try row.get("phase")
        guard let phase = Phase(rawValue: phase) else {
            throw DatabaseError(.newerSchema, "A download of the journal is in the phase \"\(phase)\", unknown here.")
        }
        self.init(
            identifier: try row.get("identifier"), transaction: try row.get("transaction_identifier"),
            product: try row.get("product"), version: try row.get("version"), length: try row.get("length"),
            phase: phase, turn: try row.get("turn"), received: try row.get("received"),
            remaining: try row.get("remaining"),
            failure: try JournalJSON.decode(DownloadFailure.self, row.get("failure")),
            checksum: try row.get("checksum"), folder: try row.get("folder"),
            hasPartial: try row.get("has_partial"), isClosed: try row.get("is_closed"))
    }

    /// The download for an offer of the store. The transaction's identifier
    /// is the store's text, so that its checksum is the name of the folder.
    init(_ offer: ContentOffer, of transaction: String) {
        let name = SHA256.hash(data: Data("\(transaction)\n\(offer.product)".utf8))
        self.init(
            identifier: Data(name.prefix(16)).hexadecimal, transaction: transaction, product: offer.product,
            version: offer.version, length: offer.length)
    }

    static func load(_ connection: any Connection, _ identifier: String) throws -> Download? {
        try connection.row("SELECT * FROM download WHERE identifier = $1", [identifier]).map { try Download($0) }
    }

    /// The downloads of a transaction, in the order of their products.
    static func load(_ connection: any Connection, of transaction: String) throws -> [Download] {
        try connection.rows(
            "SELECT * FROM download WHERE transaction_identifier = $1 ORDER BY product", [transaction]
        ).map { try Download($0) }
    }

    /// The downloads that are transferred or wait for their turn, and whose
    /// transactions the app can see.
    static func loadStarted(_ connection: any Connection) throws -> [Download] {
        try connection.rows(
            """
            SELECT download.* FROM download
            JOIN entry ON entry.transaction_identifier = download.transaction_identifier
            WHERE download.phase IN ($1, $2) AND entry.phase = $3
            """, [Phase.queued.rawValue, Phase.active.rawValue, JournalEntry.Phase.ready.rawValue]
        ).map { try Download($0) }
    }

    /// The downloads of transactions that aren't finished.
    static func loadOpen(_ connection: any Connection) throws -> [Download] {
        try connection.rows(
            "SELECT * FROM download WHERE is_closed = 0 ORDER BY transaction_identifier, product"
        ).map { try Download($0) }
    }

    /// The downloads that have ended and may have left files behind.
    static func loadRemains(_ connection: any Connection) throws -> [Download] {
        try connection.rows(
            "SELECT * FROM download WHERE phase IN ($1, $2) AND has_partial = 1",
            [Phase.cancelled.rawValue, Phase.finished.rawValue]
        ).map { try Download($0) }
    }

    func save(_ connection: any Connection) throws {
        let change: Int64? = try connection.row("UPDATE journal SET change = change + 1 RETURNING change")?
            .get("change")
        try connection.run(
            """
            INSERT INTO download (identifier, transaction_identifier, product, version, length, phase, turn, received,
                remaining, failure, checksum, folder, has_partial, is_closed, change)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            ON CONFLICT (identifier) DO UPDATE SET version = $4, length = $5, phase = $6, turn = $7, received = $8,
                remaining = $9, failure = $10, checksum = $11, folder = $12, has_partial = $13, is_closed = $14,
                change = $15
            """,
            [
                identifier, transaction, product, version, length, phase.rawValue, turn, received, remaining,
                try JournalJSON.encode(failure), checksum, folder, hasPartial, isClosed, change ?? 0,
            ])
    }

    static func delete(_ connection: any Connection, _ identifier: String) throws {
        try connection.run("DELETE FROM download WHERE identifier = $1", [identifier])
    }
}

/// The finished content of a product.
struct ProductContent: Sendable, Hashable {
    let product: String
    let version: String
    /// The name of its folder.
    let folder: String
}

extension ProductContent {
    static func load(_ connection: any Connection, of product: String) throws -> ProductContent? {
        try connection.row("SELECT * FROM content WHERE product = $1", [product]).map { row in
            ProductContent(product: product, version: try row.get("version"), folder: try row.get("folder"))
        }
    }

    func save(_ connection: any Connection) throws {
        try connection.run(
            """
            INSERT INTO content (product, version, folder) VALUES ($1, $2, $3)
            ON CONFLICT (product) DO UPDATE SET version = $2, folder = $3
            """, [product, version, folder])
    }

    static func delete(_ connection: any Connection, of product: String) throws {
        try connection.run("DELETE FROM content WHERE product = $1", [product])
    }
}
