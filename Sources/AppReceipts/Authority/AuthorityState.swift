// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The part of an authority that changes while it is in use: its leaves and
/// its revocations.
///
/// Several processes can use the same storage, for example a store and the
/// command that revokes one of its certificates. A use of the authority reads
/// a directory again if its stamp differs from that of the last read. A
/// storage without a stamp is read again by ``refresh(now:)``, so that a
/// signature needs no statement of a database.
final class AuthorityState: Sendable {
    struct Contents: Sendable {
        var index: AuthorityIndex
        var leaves: [LeafSlot: SigningAuthority.Member]
    }

    private struct Known {
        var contents: Contents
        var stamp: AuthorityStamp?
        /// The time of the last comparison with the storage.
        var checked: Date?
    }

    /// The storage, or nil if the authority is in memory only.
    private let storage: (any AuthorityStorage)?
    /// Whether other processes change the authority without this one noticing
    /// before ``refresh(now:)``.
    let needsRefreshing: Bool
    private let initialLeaves: [LeafSlot: SigningAuthority.Member]
    /// The certificates of the record that never change, by which the record
    /// of another authority is recognized.
    private let issuers: [String?]
    private let known: Mutex<Known>

    /// The state of an authority that is in memory only.
    init(initialLeaves: [LeafSlot: SigningAuthority.Member]) {
        storage = nil
        needsRefreshing = false
        self.initialLeaves = initialLeaves
        issuers = []
        known = Mutex(Known(contents: Contents(index: AuthorityIndex(), leaves: initialLeaves)))
    }

    /// The state of a stored authority. `stamp` was taken before the record
    /// was read: if it is replaced meanwhile, the next use reads it again.
    init(
        _ record: AuthorityRecord, in storage: any AuthorityStorage, stamp: AuthorityStamp?,
        initialLeaves: [LeafSlot: SigningAuthority.Member]
    ) throws(AppReceiptError) {
        self.storage = storage
        needsRefreshing = stamp == nil
        self.initialLeaves = initialLeaves
        issuers = Self.issuers(of: record)
        let contents = try Self.contents(of: record, in: storage, initialLeaves)
        known = Mutex(Known(contents: contents, stamp: stamp))
    }

    /// Returns the contents, and reads them again if the storage's stamp
    /// differs.
    ///
    /// - Throws: ``AppReceiptError/Code/authorityUnreadable`` or
    ///   ``AppReceiptError/Code/authorityDamaged`` if the index was changed
    ///   and can't be read.
    func current() throws(AppReceiptError) -> Contents {
        // The stamp is taken first: if the index is replaced before it is
        // read, the next use reads it again.
        let stamp = needsRefreshing ? nil : storage?.stamp()
        if let contents = known.withLock({ $0.stamp == stamp ? $0.contents : nil }) { return contents }
        do {
            guard let storage, let record = try storage.read() else { throw missing }
            let new = try self.contents(of: record)
            known.withLock { $0 = Known(contents: new, stamp: stamp) }
            return new
        } catch let error as AppReceiptError {
            throw error
        } catch {
            throw AppReceiptError(.authorityUnreadable, "\(error)")
        }
    }

    /// Changes the index and the leaves, also in the storage if there is one.
    /// The closure has no other effect, because it may run again after
    /// another process's change.
    func change(_ body: (inout Contents) throws -> Void) throws {
        guard let storage else {
            return try known.withLock { known in
                try body(&known.contents)
                known.contents.index.revision += 1
            }
        }
        let record = try storage.change { record in
            let before = try contents(of: record)
            var changed = before
            try body(&changed)
            guard changed.index != before.index else { return }
            changed.index.revision += 1
            try record.replace(before, by: changed)
        }
        let new = try self.contents(of: record)
        // Without a stamp, so that the next use of a directory reads it again.
        known.withLock { $0 = Known(contents: new, checked: $0.checked) }
    }

    /// Compares the contents with a storage that has no stamp, and reads them
    /// again if another process has changed them.
    func refresh(now: Date) async throws {
        guard let storage, needsRefreshing else { return }
        let revision = known.withLock { $0.contents.index.revision }
        if let record = try await storage.read(ifNot: revision) {
            let new = try self.contents(of: record)
            known.withLock { known in
                // A change of this process may have been faster.
                if known.contents.index.revision == revision { known.contents = new }
            }
        }
        known.withLock { $0.checked = now }
    }

    /// The time of the last ``refresh(now:)``.
    var checked: Date? { known.withLock { $0.checked } }

    private var missing: AppReceiptError {
        AppReceiptError(.authorityUnreadable, "\(storage?.name ?? "memory") has no authority")
    }

    private func contents(of record: AuthorityRecord) throws(AppReceiptError) -> Contents {
        guard let storage else { throw missing }
        guard Self.issuers(of: record) == issuers else {
            throw AppReceiptError(
                .authorityDamaged, "\(storage.name) has another authority than before: start this process again")
        }
        return try Self.contents(of: record, in: storage, initialLeaves)
    }

    private static func issuers(of record: AuthorityRecord) -> [String?] {
        ChainKind.all.flatMap { kind in
            ["root", "intermediate"].map { record.entries[AuthorityFiles(kind, $0).path]?.certificate }
        }
    }

    private static func contents(
        of record: AuthorityRecord, in storage: any AuthorityStorage,
        _ initialLeaves: [LeafSlot: SigningAuthority.Member]
    ) throws(AppReceiptError) -> Contents {
        var leaves = initialLeaves
        for leaf in record.index.leaves {
            leaves[leaf.slot] = try SigningAuthority.Member(leaf, in: record, of: storage)
        }
        return Contents(index: record.index, leaves: leaves)
    }
}

extension AuthorityRecord {
    /// Adds the leaves that are new, and removes the keys of all that don't
    /// sign any more: a process that ended while it changed a directory may
    /// have left one. The key of a chain's first leaf stays, because an
    /// authority can't be loaded without it.
    fileprivate mutating func replace(_ old: AuthorityState.Contents, by new: AuthorityState.Contents) throws {
        for leaf in new.index.leaves where !old.index.leaves.contains(leaf) {
            guard let member = new.leaves[leaf.slot] else { continue }
            entries[leaf.files.path] = Entry(certificate: member.pem, key: try member.keyPEM)
        }
        for leaf in new.index.retired { entries[leaf.files.path]?.key = nil }
        index = new.index
    }
}
