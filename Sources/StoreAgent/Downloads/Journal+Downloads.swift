// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

extension Journal {
    func download(_ identifier: String) async throws -> Download? {
        try await database.read { connection in try Download.load(connection, identifier) }
    }

    /// Applies an input of a transfer to a download and saves it.
    ///
    /// - Returns: the download; `nil` when it doesn't exist any more.
    @discardableResult
    func handle(download identifier: String, _ input: Download.Input) async throws -> Download? {
        try await database.write { connection in
            guard let download = try Download.load(connection, identifier) else { return nil }
            return try Self.handle(connection, download, input)
        }
    }

    /// Saves that a download's content is complete and in its folder, which
    /// is the product's content from now on.
    func finish(download identifier: String, version: String, folder: String) async throws {
        try await database.write { connection in
            guard let download = try Download.load(connection, identifier) else { return }
            let finished = try Self.handle(connection, download, .finished(folder: folder))
            guard finished.phase == .finished else { return }
            try ProductContent(product: download.product, version: version, folder: folder).save(connection)
        }
    }

    /// Saves that a download's incomplete files were removed. A download
    /// whose transaction has left the journal is deleted.
    func removedPartial(of identifier: String) async throws {
        try await database.write { connection in
            guard let download = try Download.load(connection, identifier), download.hasRemains else { return }
            try Self.handle(connection, download, .removedPartial)
            if try JournalEntry.load(connection, transaction: download.transaction) == nil {
                try Download.delete(connection, identifier)
            }
        }
    }

    /// An action of the app on a download.
    enum DownloadAction: Sendable {
        /// `hasContent`: whether the finished content of a product is in the
        /// folder of this name.
        case start(hasContent: @Sendable (_ product: String, _ folder: String) -> Bool)
        case pause, resume, cancel
    }

    /// Applies an action of the app to downloads, in the order of the list.
    func act(_ action: DownloadAction, on identifiers: [String]) throws {
        try database.write { connection in
            for identifier in identifiers {
                guard let download = try Download.load(connection, identifier) else { continue }
                let input: Download.Input
                switch action {
                case .start(let hasContent):
                    let isThere = download.folder.map { hasContent(download.product, $0) } ?? false
                    input = .start(turn: try JournalState.nextSequence(connection), hasContent: isThere)
                case .pause: input = .pause
                case .resume: input = .resume(turn: try JournalState.nextSequence(connection))
                case .cancel: input = .cancel
                }
                try Self.handle(connection, download, input)
            }
        }
    }

    /// The downloads of a transaction that isn't finished.
    func downloads(of transaction: String) throws -> [Download] {
        try database.read { connection in
            try Download.load(connection, of: transaction).filter { !$0.isClosed }
        }
    }

    /// The finished content of a product.
    func content(of product: String) throws -> ProductContent? {
        try database.read { connection in try ProductContent.load(connection, of: product) }
    }

    /// The finished content of a product.
    func content(of product: String) async throws -> ProductContent? {
        try await database.read { connection in try ProductContent.load(connection, of: product) }
    }

    /// Deletes the record of a product's content.
    func forgetContent(of product: String) throws {
        try database.write { connection in try ProductContent.delete(connection, of: product) }
    }
}

extension Journal {
    /// Saves the offers of content for a transaction.
    static func offer(_ connection: any Connection, _ offers: [ContentOffer], of transaction: String) throws {
        for offer in offers {
            let new = Download(offer, of: transaction)
            guard let known = try Download.load(connection, new.identifier) else {
                try new.save(connection)
                continue
            }
            try handle(connection, known, .offered(offer))
        }
    }

    /// Ends the downloads of a transaction that was finished or has left the
    /// queue.
    static func closeDownloads(_ connection: any Connection, of transaction: String) throws {
        for download in try Download.load(connection, of: transaction) {
            try handle(connection, download, .closed)
        }
    }

    /// Deletes the downloads of a transaction that leaves the journal. Those
    /// that have left files behind are deleted after the files.
    static func deleteDownloads(_ connection: any Connection, of transaction: String) throws {
        try closeDownloads(connection, of: transaction)
        for download in try Download.load(connection, of: transaction) where !download.hasRemains {
            try Download.delete(connection, download.identifier)
        }
    }

    /// Applies an input to a download, and saves it if that changes it.
    @discardableResult
    static func handle(
        _ connection: any Connection, _ download: Download, _ input: Download.Input
    ) throws -> Download {
        var changed = download
        changed.handle(input)
        if changed != download { try changed.save(connection) }
        return changed
    }
}
