// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the sessions of an account, and signs the account out: in one
/// browser, in all of them, and on its devices.
package struct EndingSessions: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The sessions of an account that haven't expired, the last used first.
    package func list(of account: Account) async throws -> [BrowserSession] {
        try await read { db in try BrowserSession.all(of: account.identifier, db) }
    }

    /// Ends one session of an account.
    ///
    /// - Throws: ``DomainError`` `notFound` when the account has no such
    ///   session.
    package func callAsFunction(_ identifier: String, of account: Account) async throws {
        guard try await list(of: account).contains(where: { $0.identifier == identifier }) else {
            throw DomainError(.notFound, "The account has no such session: it has ended already.")
        }
        try await write(for: account.identifier) { db in
            try BrowserSession.end(identifier, of: account.identifier, db)
        }
    }

    /// Ends all sessions of an account, and if `devices` is true signs it out
    /// on all of its devices. Their apps are notified by news.
    package func all(of account: Account, devices: Bool = false) async throws {
        try await write(for: account.identifier) { db in
            try BrowserSession.endAll(of: account.identifier, db)
            if devices { try Device.signOutAll(of: account.identifier, db) }
        }
    }
}
