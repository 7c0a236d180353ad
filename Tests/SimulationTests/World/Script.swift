// SPDX-License-Identifier: Apache-2.0

/// The plot of a world.
enum Script: Hashable, Sendable {
    /// Apps add a number of payments for products of every kind but
    /// subscriptions.
    case purchases(Int)
    /// Apps sell subscriptions, and the clocks of accounts are moved a number
    /// of times.
    case subscriptions(moves: Int)
    /// Apps add a number of payments for products with content, and download
    /// it.
    case downloads(Int)
    /// Apps of a family's members add a number of payments, of which parents
    /// approve those of the child.
    case families(Int)
    /// Apps add a number of payments by StoreKit 1 and StoreKit 2, or sell
    /// subscriptions by both.
    case transactions(Int)

    /// Members of families buy and manage subscriptions on pages, a number of
    /// times.
    case agreements(Int)

    /// The second argument of `scripts/simulate`.
    var argument: String {
        switch self {
        case .purchases: ""
        case .subscriptions: " subscriptions"
        case .downloads: " downloads"
        case .families: " families"
        case .transactions: " transactions"
        case .agreements: " agreements"
        }
    }

    /// Whether the world of a seed sells subscriptions: a third of the worlds
    /// of StoreKit 2 do.
    func sellsSubscriptions(seed: UInt64) -> Bool {
        switch self {
        case .subscriptions, .agreements: true
        case .transactions: seed % 3 == 0
        default: false
        }
    }
}
