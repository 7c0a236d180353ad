// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Synchronizes a device's key-value pairs with the account's. The last write
/// of a key wins.
package struct SynchronizingKeyValues: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The limits of the values of one app and account.
    package struct Limits: Sendable {
        /// The largest number of keys that have a value.
        package var keys: Int
        /// The largest number of bytes of one key in UTF-8.
        package var keyBytes: Int
        /// The largest number of bytes of all decoded values together.
        package var valueBytes: Int

        package init(keys: Int, keyBytes: Int, valueBytes: Int) {
            self.keys = keys
            self.keyBytes = keyBytes
            self.valueBytes = valueBytes
        }
    }

    /// A write of a device, with the number that the device gave it.
    package struct Write: Sendable {
        package var value: KeyValue
        /// The number of the write. A write is ignored unless its number is
        /// larger than the last one received from the device for the app.
        package var sequence: Int64

        package init(_ value: KeyValue, sequence: Int64) {
            self.value = value
            self.sequence = sequence
        }
    }

    /// The values that the device doesn't have yet, and the account's values
    /// of its refused writes.
    package struct News: Sendable {
        /// The values written since the last event that the device received,
        /// except for the keys of this call; all values when `isWhole`.
        package var values: [KeyValue] = []
        /// The account's values of the keys whose writes didn't fit into the
        /// limits.
        package var refused: [KeyValue] = []
        /// Whether `values` contains all values of the app and the account.
        package var isWhole = false
        /// `nil` when no account is signed in; nothing is written then.
        package var account: Account?
        /// Whether other devices have to be notified of the writes.
        package var isNews = false
    }

    /// Applies the writes of a device, and returns the values that it doesn't
    /// have yet.
    ///
    /// - Throws: ``DomainError`` `invalid` for a key that is empty or too
    ///   long, or that is written twice in one call.
    package func callAsFunction(
        _ writes: [Write], known: AccountEvent.Position?, of bundleIdentifier: BundleIdentifier,
        on device: DeviceIdentifier, limits: Limits
    ) async throws -> News {
        guard writes.allSatisfy({ (1...limits.keyBytes).contains($0.value.key.utf8.count) }),
            Set(writes.map(\.value.key)).count == writes.count
        else {
            throw DomainError(.invalid, "A key has 1 to \(limits.keyBytes) bytes, and is written once in a message.")
        }
        let signedIn = try await read { db in try Device.signedInAccount(on: device, db) }
        guard let signedIn else { return News() }
        let call = Call(
            writes: writes, known: known, bundleIdentifier: bundleIdentifier, device: device, limits: limits)
        return try await write(for: signedIn.identifier) { db in
            // Read again: the account may have been closed or signed out since.
            guard let account = try Device.signedInAccount(on: device, db), account.identifier == signedIn.identifier
            else { return News() }
            return try Self.synchronize(call, of: account, db)
        }
    }

    private struct Call: Sendable {
        var writes: [Write]
        var known: AccountEvent.Position?
        var bundleIdentifier: BundleIdentifier
        var device: DeviceIdentifier
        var limits: Limits
    }

    /// The account and the app whose values are synchronized.
    private struct Scope: Sendable {
        var account: AccountIdentifier
        var bundle: BundleIdentifier
    }

    private static func synchronize(_ call: Call, of account: Account, _ db: StoreTransaction) throws -> News {
        var answer = News()
        let scope = Scope(account: account.identifier, bundle: call.bundleIdentifier)
        let isSameAccount = call.known?.account == account.identifier
        // Removals up to the event `pruned` are deleted. A device that
        // received only older events needs all values.
        let pruned = try RemovedKeyValues.pruned(scope.account, scope.bundle, db)
        let isKnown = isSameAccount && (call.known?.number ?? 0) >= pruned
        answer.isWhole = !isKnown
        answer.account = account
        let last = try KeyValueWriter.last(of: call.device, bundleIdentifier: scope.bundle, db)
        let new = call.known == nil || isSameAccount ? call.writes.filter { $0.sequence > last } : []
        if let newest = new.map(\.sequence).max() {
            try KeyValueWriter.note(newest, of: call.device, bundleIdentifier: scope.bundle, db)
            try save(new.map(\.value), scope, call.limits, &answer, db)
        }
        if let known = call.known, isKnown {
            let written = Set(new.map(\.value.key))
            answer.values = try KeyValue.written(
                after: known.number, account: scope.account, bundleIdentifier: scope.bundle, db
            ).filter { !written.contains($0.key) }
        } else {
            answer.values = try KeyValue.all(account: scope.account, bundleIdentifier: scope.bundle, db)
        }
        return answer
    }

    /// Saves the writes for which there is room, under one new event.
    private static func save(
        _ writes: [KeyValue], _ scope: Scope, _ limits: Limits, _ answer: inout News, _ db: StoreTransaction
    ) throws {
        let accepted = try fitting(writes, scope, limits, &answer, db)
        guard !accepted.isEmpty else { return }
        let number = try AccountEvent.append(
            .keyValues, account: scope.account, bundleIdentifier: scope.bundle, transactionIdentifier: "", db
        ).number
        answer.account?.eventNumber = number
        answer.isNews = true
        for value in accepted {
            try value.save(account: scope.account, bundleIdentifier: scope.bundle, eventNumber: number, db)
        }
        if accepted.contains(where: { $0.value == nil }) {
            try RemovedKeyValues.prune(scope.account, scope.bundle, keeping: limits.keys, db)
        }
    }

    /// Returns the writes that fit into the limits, in their order, and adds
    /// the keys of the others to `answer.refused`.
    private static func fitting(
        _ writes: [KeyValue], _ scope: Scope, _ limits: Limits, _ answer: inout News, _ db: StoreTransaction
    ) throws -> [KeyValue] {
        var usage = try KeyValue.usage(
            account: scope.account, bundleIdentifier: scope.bundle, db)
        var accepted: [KeyValue] = []
        for write in writes {
            let before = try KeyValue.find(
                write.key, account: scope.account, bundleIdentifier: scope.bundle, db)
            let keys = usage.keys + (write.value == nil ? 0 : 1) - (before.value == nil ? 0 : 1)
            let bytes = usage.bytes + write.bytes - before.bytes
            // Removing a key that doesn't exist changes nothing and adds no
            // row.
            if write.value == nil, before.value == nil { continue }
            if write.value != nil, keys > limits.keys || bytes > limits.valueBytes {
                answer.refused.append(before)
            } else {
                usage = KeyValue.Usage(keys: keys, bytes: bytes)
                accepted.append(write)
            }
        }
        return accepted
    }
}
