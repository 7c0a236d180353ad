// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Brings a device's key-value pairs and the account's up to date with one
/// another. Who writes last wins.
package struct SynchronizingKeyValues: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// How much there is room for.
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

    /// A write of a device, with its number there.
    package struct Write: Sendable {
        package var value: KeyValue
        package var sequence: Int64

        package init(_ value: KeyValue, sequence: Int64) {
            self.value = value
            self.sequence = sequence
        }
    }

    package struct Answer: Sendable {
        /// What was written elsewhere; all that there is when `isWhole`.
        package var values: [KeyValue] = []
        /// What the account has instead of writes for which there is no room.
        package var refused: [KeyValue] = []
        /// Whether the values are all that there are.
        package var isWhole = false
        /// `nil` when nobody is signed in; nothing is written then.
        package var account: Account?
        /// Whether other devices have something to hear.
        package var isNews = false
    }

    /// - Throws: ``DomainError`` `invalid` for a key that is too long, or one
    ///   that is written twice at once.
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
            // Removals before that event are deleted: an older device can't
            // learn of them one by one.
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

    /// The writes for which there is room, in their order.
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
            // Removing a key that isn't there changes nothing, and leaves no row.
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
