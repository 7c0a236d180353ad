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
        package var keys: Int
        package var keyBytes: Int
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
        package var sequence: Int64

        package init(_ value: KeyValue, sequence: Int64) {
            self.value = value
            self.sequence = sequence
        }
    }

    package struct Answer: Sendable {
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
        _ writes: [Write], known: (account: String, number: Int64)?, of bundleIdentifier: String,
        on device: DeviceIdentifier, limits: Limits
    ) async throws -> Answer {
        guard writes.allSatisfy({ (1...limits.keyBytes).contains($0.value.key.utf8.count) }),
            Set(writes.map(\.value.key)).count == writes.count
        else {
            throw DomainError(.invalid, "A key has 1 to \(limits.keyBytes) bytes, and is written once in a message.")
        }
        let signedIn = try await database.read { [environment] connection in
            try Device.signedInAccount(on: device, environment, connection)
        }
        guard let signedIn else { return Answer() }
        return try await database.write(for: signedIn.identifier) { [environment] connection in
            // Read again: the account may have been closed or signed out since.
            guard var account = try Device.signedInAccount(on: device, environment, connection),
                account.identifier == signedIn.identifier
            else { return Answer() }
            var answer = Answer()
            let scope = (account: account.identifier, bundle: bundleIdentifier)
            let isSameAccount = known?.account == account.identifier
            // Removals up to the event `pruned` are deleted. A device that
            // received only older events needs all values.
            let pruned = try RemovedKeyValues.pruned(scope.account, scope.bundle, environment, connection)
            let isKnown = isSameAccount && (known?.number ?? 0) >= pruned
            answer.isWhole = !isKnown
            let last = try KeyValueWriter.last(
                of: device, bundleIdentifier: bundleIdentifier, environment, connection)
            let new = known == nil || isSameAccount ? writes.filter { $0.sequence > last } : []
            if let newest = new.map(\.sequence).max() {
                try KeyValueWriter.note(
                    newest, of: device, bundleIdentifier: bundleIdentifier, environment, connection)
                let accepted = try Self.fitting(new.map(\.value), scope, limits, &answer, environment, connection)
                if !accepted.isEmpty {
                    account.eventNumber = try AccountEvent.append(
                        .keyValues, account: scope.account, bundleIdentifier: bundleIdentifier,
                        transactionIdentifier: "", environment, connection)
                    answer.isNews = true
                }
                for value in accepted {
                    try value.save(
                        account: scope.account, bundleIdentifier: scope.bundle, eventNumber: account.eventNumber,
                        environment, connection)
                }
                if accepted.contains(where: { $0.value == nil }) {
                    try RemovedKeyValues.prune(
                        scope.account, scope.bundle, keeping: limits.keys, environment, connection)
                }
            }
            if let known, isKnown {
                let written = Set(new.map(\.value.key))
                answer.values = try KeyValue.written(
                    after: known.number, account: scope.account, bundleIdentifier: scope.bundle, environment,
                    connection
                ).filter { !written.contains($0.key) }
            } else {
                answer.values = try KeyValue.all(
                    account: scope.account, bundleIdentifier: scope.bundle, environment, connection)
            }
            answer.account = account
            return answer
        }
    }

    /// Returns the writes that fit into the limits, in their order, and adds
    /// the keys of the others to `answer.refused`.
    private static func fitting(
        _ writes: [KeyValue], _ scope: (account: String, bundle: String), _ limits: Limits, _ answer: inout Answer,
        _ environment: StoreEnvironment, _ connection: any Connection
    ) throws -> [KeyValue] {
        var usage = try KeyValue.usage(
            account: scope.account, bundleIdentifier: scope.bundle, environment, connection)
        var accepted: [KeyValue] = []
        for write in writes {
            let before = try KeyValue.find(
                write.key, account: scope.account, bundleIdentifier: scope.bundle, environment, connection)
            let keys = usage.keys + (write.value == nil ? 0 : 1) - (before.value == nil ? 0 : 1)
            let bytes = usage.bytes + write.bytes - before.bytes
            // Removing a key that doesn't exist changes nothing and adds no
            // row.
            if write.value == nil, before.value == nil { continue }
            if write.value != nil, keys > limits.keys || bytes > limits.valueBytes {
                answer.refused.append(before)
            } else {
                usage = (keys, bytes)
                accepted.append(write)
            }
        }
        return accepted
    }
}
