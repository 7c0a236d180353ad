// SPDX-License-Identifier: Apache-2.0

/// The values of sellers' payloads that the row of a purchase doesn't have.
struct ServedDetails: Sendable {
    /// The tokens that servers have set, the oldest first.
    var tokens: [OriginalTransactionIdentifier: [AccountToken]] = [:]
    /// The revoked purchases whose customers named a problem of the app.
    var problems: Set<TransactionIdentifier> = []

    /// The numbers of the app transactions.
    var apps: [App: TransactionIdentifier] = [:]

    /// An account's app.
    struct App: Hashable, Sendable {
        var account: AccountIdentifier
        var bundleIdentifier: BundleIdentifier

        init(of purchase: Purchase) {
            account = purchase.account
            bundleIdentifier = purchase.bundleIdentifier
        }
    }

    /// `appTransactionId`.
    func appTransaction(of purchase: Purchase) -> String? { apps[App(of: purchase)]?.rawValue }

    /// `appAccountToken`: the one that the seller's server has set, or the user
    /// name of the payment if it is a UUID.
    func accountToken(of purchase: Purchase) -> String? {
        tokens[purchase.originalTransactionIdentifier]?.last { $0.since <= purchase.date }?.token
            ?? purchase.accountToken
    }

    /// `revocationReason`: 1 for a problem of the app, 0 for another reason and
    /// for a refund that the customer didn't ask for here.
    func revocationReason(of purchase: Purchase) -> Int64 {
        Self.refundable(purchase).contains(where: problems.contains) ? 1 : 0
    }

    /// The transactions whose refund revokes a purchase. A product that is
    /// owned once is revoked with its first purchase.
    static func refundable(_ purchase: Purchase) -> [TransactionIdentifier] {
        let own = purchase.transactionIdentifier
        let first = TransactionIdentifier(purchase.originalTransactionIdentifier)
        return purchase.kind.isOwnedOnce && first != own ? [own, first] : [own]
    }
}
