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
    ///   rotation can't be read.
    package func callAsFunction(_ purchases: [Purchase]) async throws -> [String] {
        try await sign(purchases.map { TransactionPayload($0, in: environment, signed: now) })
    }

    /// The signed renewals of subscriptions, in their order.
    ///
    /// - Throws: The errors of the other `callAsFunction(_:)`.
    package func callAsFunction(_ renewals: [ServedRenewal]) async throws -> [String] {
        try await sign(renewals.map { RenewalInfoPayload($0, in: environment, signed: now) })
    }

    private func sign(_ payloads: [some SignedPayload]) async throws -> [String] {
        try await authority.refreshIfStale(now: now.date)
        let signed = try payloads.map { try authority.sign($0) }
        context.meters.count(.jws, by: signed.count)
        return signed
    }
}
