// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Lists, adds, prefers and removes the payment methods of an account.
///
/// A payment that is recorded keeps its method, also after that was removed.
package struct ChangingPaymentMethods: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The methods of an account.
    package struct Listing: Hashable, Sendable {
        /// The oldest first.
        package var methods: [PaymentMethod]
        package var preferred: PaymentMethod.Preferred
    }

    /// - Throws: ``DomainError`` `notFound` for a closed account.
    package func list(of account: AccountIdentifier) async throws -> Listing {
        try await read { db in try Self.listing(of: account, db) }
    }

    /// Adds one of the sandbox's test methods. The first one becomes the
    /// preferred one, and later ones if `isPreferred` is true.
    ///
    /// - Throws: ``DomainError``: `notFound` for a closed account, `invalid`
    ///   outside of the sandbox, and for an account with too many methods.
    package func add(
        _ method: SandboxMethod, to account: AccountIdentifier, isPreferred: Bool = false
    ) async throws -> Listing {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only accounts of the sandbox have its test methods.")
        }
        let identifier = PaymentMethodIdentifier(random.hexadecimal(bytes: 16))
        return try await write(for: account) { db in
            let before = try Self.listing(of: account, db)
            // The closure runs again after a commit whose answer was lost.
            if before.methods.contains(where: { $0.identifier == identifier }) { return before }
            guard before.methods.count < PaymentMethod.most else {
                throw DomainError(
                    .invalid, "An account has at most \(PaymentMethod.most) payment methods.", reason: .paymentMethods)
            }
            let time = try AccountClock.of(account, db).time(at: db.now)
            try method.method(identifier, addedAt: db.now, time).insert(for: account, db)
            if isPreferred || before.methods.isEmpty {
                try PaymentMethod.Preferred.method(identifier).save(for: account, db)
            }
            return try Self.listing(of: account, db)
        }
    }

    /// Charges later payments by a method.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func prefer(_ method: PaymentMethodIdentifier, of account: AccountIdentifier) async throws -> Listing {
        try await write(for: account) { db in
            guard try PaymentMethod.find(method, of: account, db) != nil else { throw PaymentMethod.unknown }
            try PaymentMethod.Preferred.method(method).save(for: account, db)
            return try Self.listing(of: account, db)
        }
    }

    /// Removes a method. If it was the preferred one, the oldest of the others
    /// is preferred then.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func remove(_ method: PaymentMethodIdentifier, of account: AccountIdentifier) async throws -> Listing {
        try await write(for: account) { db in
            guard try PaymentMethod.delete(method, of: account, db) else { throw PaymentMethod.unknown }
            let after = try Self.listing(of: account, db)
            guard after.preferred == .method(method) else { return after }
            let next = after.methods.first.map { PaymentMethod.Preferred.method($0.identifier) } ?? .none
            try next.save(for: account, db)
            return Listing(methods: after.methods, preferred: next)
        }
    }

    private static func listing(of account: AccountIdentifier, _ db: StoreTransaction) throws -> Listing {
        guard let found = try Account.findOpen(account, db) else { throw PaymentMethod.unknown }
        return Listing(methods: try PaymentMethod.list(of: account, db), preferred: found.paymentMethod)
    }
}
