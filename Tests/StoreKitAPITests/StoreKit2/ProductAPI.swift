// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkProductAPI(_ product: Product) async throws {
    let _: any Sendable = product
    let _: any Hashable = product
    let _: any Identifiable = product
    let _: any CustomDebugStringConvertible = product
    let _: Product.ID = product.id
    let _: String = product.id
    let _: Product.ProductType = product.type
    let _: String = product.displayName
    let _: String = product.description
    let _: Decimal = product.price
    let _: String = product.displayPrice
    let _: Bool = product.isFamilyShareable
    let _: Product.SubscriptionInfo? = product.subscription
    let _: Data = product.jsonRepresentation
    let _: String = product.debugDescription
    let _: Decimal.FormatStyle.Currency = product.priceFormatStyle
    let _: Product.SubscriptionPeriod.Unit.FormatStyle = product.subscriptionPeriodUnitFormatStyle
    let _: [Product] = try await Product.products(for: ["apple"])
    let _: [Product] = try await Product.products(for: Set(["apple"]))
    let _: Product.PurchaseResult = try await product.purchase()
    let _: Product.PurchaseResult = try await product.purchase(options: [.quantity(2)])
    let _: VerificationResult<Transaction>? = await product.latestTransaction
    let _: VerificationResult<Transaction>? = await product.currentEntitlement
    let _: Transaction.Transactions = product.currentEntitlements
}

func checkProductTypeAPI() {
    let types: [Product.ProductType] = [.consumable, .nonConsumable, .nonRenewable, .autoRenewable]
    let _: [String] = types.map(\.rawValue)
    let _: [String] = types.map(\.localizedDescription)
    let _: Product.ProductType = Product.ProductType(rawValue: "Consumable")
}

func checkPurchaseResultAPI(_ result: Product.PurchaseResult) -> VerificationResult<Transaction>? {
    let _: any Sendable = result
    switch result {
    case .success(let verification): return verification
    case .userCancelled, .pending: return nil
    @unknown default: return nil
    }
}

func checkPurchaseErrorAPI(_ error: Product.PurchaseError) -> String? {
    let _: any Hashable = error
    let _: any LocalizedError = error
    switch error {
    case .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer: return error.errorDescription
    case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature: return error.failureReason
    case .missingOfferParameters, .paymentMethodBindingConfigurationRequired: return error.recoverySuggestion
    @unknown default: return nil
    }
}
