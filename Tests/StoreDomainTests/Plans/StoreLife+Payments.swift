// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport

@testable import StoreDomain

extension StoreLife {
    /// A customer who chooses a payment method after a decline, and removes all
    /// of them.
    func payByMethods() async throws {
        let paula = try await store.person("paula", device: 31)
        let declined = try await store.addMethod(.declined, to: paula)
        let accepted = try await store.addMethod(.accepted, to: paula)
        let phone = TestDevice(number: 31, store: store)
        let sheet = try phone.token(try await phone.ask("juice", request: "method").sheet)
        _ = try? await store.service.buy(onSheet: sheet, as: paula, shown: nil)
        _ = try await store.service.sheet(sheet, as: try await store.service.account(paula.email))
        _ = try await store.service.buy(onSheet: sheet, as: paula, shown: nil, method: accepted)
        for purchase in try await ReadingPurchaseHistory(store.context)(of: paula.identifier).entries {
            _ = try await ListingCharges(store.context)(purchase.purchase.transactionIdentifier)
        }
        _ = try await store.methods.prefer(accepted, of: paula.identifier)
        for method in [declined, accepted] { _ = try await store.methods.remove(method, of: paula.identifier) }
        try await ClosingAccount(store.context)(email: paula.email)
    }
}
