// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport

/// The changes that the store's operator may make to an account while it
/// buys.
enum AccountChange: CaseIterable, Sendable {
    case bar, askToBuy, move, close

    /// Makes the change on a node, with the use case of the control route.
    func make(for account: Account, on store: TestStore) async throws {
        let email = account.email
        switch self {
        case .bar: try await store.service.change(account: email, .init(switches: [.barred: true]))
        case .askToBuy: try await store.service.change(account: email, .init(switches: [.asksToBuy: true]))
        case .move: try await store.service.change(account: email, .init(storefront: Price.appleInJapan.storefront))
        case .close: try await ClosingAccount(store.context)(email: email)
        }
    }

    /// The prices that an account of the United States has paid for an apple
    /// on a sheet, when the change came before the reservation.
    var pricesOnTheSheet: [Price] {
        switch self {
        case .bar, .close, .askToBuy: []
        case .move: [.appleInJapan]
        }
    }

    /// The same for an approved request for an apple: Ask to Buy is already
    /// on.
    var pricesOfApproval: [Price] { self == .askToBuy ? [.appleInUSA] : pricesOnTheSheet }
}
