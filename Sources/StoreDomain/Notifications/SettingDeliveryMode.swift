// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Sets how the sandbox delivers the notifications of an account, or of all
/// accounts, and lists the modes.
package struct SettingDeliveryMode: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A mode that was set.
    package struct Setting: Hashable, Sendable {
        /// `nil` for all accounts without a mode of their own.
        package var email: String?
        package var mode: DeliveryMode
    }

    /// All modes, that of all accounts first.
    package func callAsFunction() async throws -> [Setting] {
        try await read { db in try DeliveryMode.all(db) }
    }

    /// Sets the mode of the account of an e-mail address, or of all accounts.
    /// The usual mode removes the one that was set. Notifications that were
    /// signed before keep theirs; those that wait for a later one are sent.
    ///
    /// - Throws: ``DomainError``: `notFound`; `invalid` for values that don't
    ///   fit together, and outside of the sandbox.
    package func callAsFunction(_ mode: DeliveryMode, email: String?) async throws {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only the sandbox delivers notifications in another way.")
        }
        try mode.check()
        guard let email else {
            return try await write(.key("notification mode")) { db in try DeliveryMode.save(mode, for: nil, db) }
        }
        let account = try await FindingAccount(context)(email: email).identifier
        try await write(for: account) { db in
            guard try Account.findOpen(account, db) != nil else { throw DomainError.noAccount(email) }
            try DeliveryMode.save(mode, for: account, db)
        }
    }
}
