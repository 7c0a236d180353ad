// SPDX-License-Identifier: Apache-2.0

/// The plot of a world.
enum Script: Sendable {
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

    /// The second argument of `scripts/simulate`.
    var argument: String {
        switch self {
        case .purchases: ""
        case .subscriptions: " subscriptions"
        case .downloads: " downloads"
        case .families: " families"
        }
    }
}
