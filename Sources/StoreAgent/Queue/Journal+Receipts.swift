// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI
internal import StoreDatabase

extension Journal {
    func state() async throws -> JournalState {
        try await database.read { connection in try JournalState.load(connection) }
    }

    func state() throws -> JournalState {
        try database.read { connection in try JournalState.load(connection) }
    }

    /// Writes down how new the receipt on disk is.
    func received(_ position: EventPosition?, environment: String) throws {
        try database.write { connection in
            try JournalState.update(connection) { state in
                state.environment = environment
                if let position { state.receipt = position }
            }
        }
    }

    /// Lets go of what another account's receipt vouched for, before one of
    /// this account takes its place: a process that dies in between leaves
    /// nobody believing that it is there still, or showing purchases by it.
    func willReplaceReceipt(by position: EventPosition) throws {
        guard try state().receipt?.account != position.account else { return }
        try database.write { connection in
            try JournalState.update(connection) { $0.receipt = nil }
            for entry in try QueueEntry.ready(connection, butNotOf: position.account) {
                _ = try Self.handle(connection, entry, .receipt(position), now: entry.date)
            }
        }
    }

    /// Follows the store to another account, when a receipt of it has come.
    func follow(_ answered: EventPosition, askedFor account: String?) throws {
        try database.write { connection in
            try JournalState.update(connection) { $0.follow(answered, askedFor: account) }
        }
    }

    /// Notices that the receipt file was removed: another one is wanted.
    func lostReceipt() async throws {
        try await database.write { connection in
            try JournalState.update(connection) { state in
                guard let receipt = state.receipt else { return }
                state.receipt = nil
                state.wantReceipt(state.position ?? receipt)
            }
        }
    }

    /// Writes down where the customer shops, when that isn't known yet: later
    /// the store's events say so.
    func learn(storefront: StorefrontInfo) async throws {
        guard try await state().storefront == nil else { return }
        try await database.write { connection in
            try JournalState.update(connection) { $0.storefront = $0.storefront ?? storefront }
        }
    }

    /// Writes the store's environment down: `Sandbox` or `Production`.
    func learn(environment: String) async throws {
        try await database.write { connection in
            try JournalState.update(connection) { $0.environment = environment }
        }
    }
}
