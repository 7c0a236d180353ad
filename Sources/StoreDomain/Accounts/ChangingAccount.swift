// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Changes the storefront or the restrictions of an account.
package struct ChangingAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The new values; `nil` leaves a value as it is.
    package struct Change: Hashable, Sendable {
        /// The country, in three letters.
        package var storefront: String?
        package var isBarred: Bool?
        package var asksToBuy: Bool?
        package var interruptsPurchases: Bool?

        package init(
            storefront: String? = nil, isBarred: Bool? = nil, asksToBuy: Bool? = nil, interruptsPurchases: Bool? = nil
        ) {
            self.storefront = storefront
            self.isBarred = isBarred
            self.asksToBuy = asksToBuy
            self.interruptsPurchases = interruptsPurchases
        }
    }

    /// Changes the account of an e-mail address, and returns it. Its devices
    /// are notified of another storefront by an event.
    ///
    /// - Throws: ``DomainError``: `notFound`, `invalid` for an unknown country,
    ///   and for another country of a family's member.
    package func callAsFunction(email: String, _ change: Change) async throws -> Account {
        let storefront = try change.storefront.map(Storefront.known)
        let found = try await FindingAccount(context)(email: email)
        return try await write(for: found.identifier) { db in
            guard var account = try Account.findOpen(found.identifier, db) else {
                throw DomainError.noAccount(found.email)
            }
            let before = account.storefront
            if let storefront, storefront != before, try Family.of(account.identifier, db) != nil {
                throw DomainError(
                    .invalid,
                    "A family has one storefront: \(account.email) leaves its family first. Nothing was changed.")
            }
            account.storefront = storefront ?? account.storefront
            account.isBarred = change.isBarred ?? account.isBarred
            account.asksToBuy = change.asksToBuy ?? account.asksToBuy
            account.interruptsPurchases = change.interruptsPurchases ?? account.interruptsPurchases
            try account.update(db)
            if account.storefront != before {
                account.eventNumber = try AccountEvent.append(
                    .storefront, account: account.identifier, bundleIdentifier: "", transactionIdentifier: "", db
                ).number
            }
            return account
        }
    }
}
