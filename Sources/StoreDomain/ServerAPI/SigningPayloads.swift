// SPDX-License-Identifier: Apache-2.0

package import AppReceipts

/// Signs purchases and renewals for sellers' servers.
package struct SigningPayloads: UseCase {
    package let context: StoreContext
    /// The keys and certificates that sign.
    package let authority: SigningAuthority

    package init(_ context: StoreContext, authority: SigningAuthority) {
        self.context = context
        self.authority = authority
    }

    /// The signed transactions of purchases, in their order.
    ///
    /// - Throws: `AppReceiptError`, `DatabaseError` when the authority's
    ///   rotation or the details of purchases can't be read.
    package func callAsFunction(_ purchases: [Purchase]) async throws -> [String] {
        let details = try await read { db in try ServedDetails.of(purchases, db) }
        return try await sign(purchases.map { TransactionPayload($0, details, in: environment, signed: now) })
    }

    /// The signed renewals of subscriptions, in their order.
    ///
    /// - Throws: The errors of the other `callAsFunction(_:)`.
    package func callAsFunction(_ renewals: [ServedRenewal]) async throws -> [String] {
        let details = try await read { db in try ServedDetails.of(renewals.map(\.purchase), db) }
        return try await sign(renewals.map { RenewalInfoPayload($0, details, in: environment, signed: now) })
    }

    /// The signed app transaction of a customer.
    ///
    /// - Throws: The errors of the other `callAsFunction(_:)`.
    package func callAsFunction(_ app: ServedApp) async throws -> String {
        let signed = try await sign([AppTransactionPayload(app, in: environment, signed: now)])
        guard let only = signed.first else { throw ServerError.internalError }
        return only
    }

    func sign(_ payloads: [some SignedPayload]) async throws -> [String] {
        try await authority.refreshIfStale(now: now.date)
        let signed = try payloads.map { try authority.sign($0) }
        context.meters.count(.jws, by: signed.count)
        return signed
    }
}
