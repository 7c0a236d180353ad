// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import Testing

@testable import StoreService

/// The values of a product that a device receives.
struct ProductInfoTests {
    @Test("A subscription has its period and its group, and another product has neither")
    func plans() {
        var product = Product(
            bundleIdentifier: "com.example.shop", productIdentifier: "gold", kind: .autoRenewable,
            referenceName: "Gold", milliunits: 9990, localizations: [])
        product.plan = Product.Plan(group: "metals", level: 1, period: SubscriptionPeriod(3, .month))
        let languages = LanguagePreference([], in: .unitedStates)

        let gold = ProductInfo(product, in: .unitedStates, for: languages)

        #expect(gold.type == .autoRenewable && gold.subscriptionPeriod == "P3M")
        #expect(gold.subscriptionGroupIdentifier == "metals")
        product.plan = nil
        let plain = ProductInfo(product, in: .unitedStates, for: languages)
        #expect(plain.subscriptionPeriod == nil && plain.subscriptionGroupIdentifier == nil)
    }
}
