// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends the uploads that aren't continued, and removes the bytes that no row
/// names: those of processes that ended between a change of the storage and
/// that of its row.
package struct SweepingUploads: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// How long an upload is kept that isn't continued.
    package static let longestPause: Duration = .seconds(24 * 60 * 60)
    private static let batch = 100

    /// How much a sweep has removed.
    package struct Swept: Hashable, Sendable {
        package var uploads = 0
        package var objects = 0

        package var isNothing: Bool { uploads == 0 && objects == 0 }
    }

    /// Sweeps once; a store without a storage has nothing to sweep.
    package func callAsFunction() async throws -> Swept {
        guard let storage = context.hosting?.storage else { return Swept() }
        var swept = Swept()
        try await abandonUploads(in: storage, counting: &swept)
        try await removeUnnamed(in: storage, counting: &swept)
        return swept
    }

    private func abandonUploads(in storage: any ContentStorage, counting swept: inout Swept) async throws {
        let limit = now - Self.longestPause
        while true {
            let uploads = try await read { db in
                try ContentUpload.untouched(since: limit, limit: Self.batch, db)
            }
            guard !uploads.isEmpty else { return }
            for upload in uploads {
                let isDeleted = try await write(.key(upload.identifier.rawValue)) { db in
                    try ContentUpload.delete(upload.identifier, untouchedSince: limit, db)
                }
                guard isDeleted else { continue }
                context.meters.count(.abandoned)
                try await storage.abandon(upload)
                swept.uploads += 1
            }
        }
    }

    /// The names are listed before the rows are read. A row exists before its
    /// bytes do, and no new row names old bytes that have none: bytes without
    /// a row at that moment never get one.
    private func removeUnnamed(in storage: any ContentStorage, counting swept: inout Swept) async throws {
        var last: StoredContent?
        while true {
            let page = try await storage.list(after: last)
            guard let final = page.last else { return }
            last = final
            let kept = try await read { db in try Self.named(among: page, db) }
            for stored in page where !kept.contains(stored) {
                switch stored {
                case .object(let object):
                    try await storage.remove(object)
                    swept.objects += 1
                case .upload(let upload):
                    try await storage.abandon(upload)
                    swept.uploads += 1
                }
            }
        }
    }

    /// An object without a version is kept while its upload has a row: it is
    /// being published.
    private static func named(among page: [StoredContent], _ db: StoreTransaction) throws -> Set<StoredContent> {
        let objects = page.compactMap { if case .object(let name) = $0 { name } else { nil } }
        let uploads = page.compactMap { if case .upload(let name) = $0 { name } else { nil } }
        let versions = try HostedContent.named(objects, db)
        let running = try ContentUpload.existing(uploads + objects.compactMap(\.upload), db)
        return Set(
            page.filter { stored in
                switch stored {
                case .object(let name): versions.contains(name) || name.upload.map(running.contains) ?? false
                case .upload(let name): running.contains(name)
                }
            })
    }
}
