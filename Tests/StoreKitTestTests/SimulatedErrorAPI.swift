// SPDX-License-Identifier: Apache-2.0

import StoreKit
import StoreKitTest

// The API witness of simulated failures and of a test's purchase options: it has
// to compile.

func checkSimulatedErrorAPI(_ session: SKTestSession) async throws {
    try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
    try await session.setSimulatedError(.purchase(.invalidQuantity), forAPI: .purchase)
    try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
    try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
    try await session.setSimulatedError(.generic(.networkError(URLError(.timedOut))), forAPI: .appStoreSync)
    try await session.setSimulatedError(.generic(.unknown), forAPI: .subscriptionStatus)
    try await session.setSimulatedError(.generic(.unknown), forAPI: .appTransaction)
    try await session.setSimulatedError(.generic(.unknown), forAPI: .manageSubscriptions)
    try await session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
    try await session.setSimulatedError(.generic(.unknown), forAPI: .offerCodeRedeem)
    try await session.setSimulatedError(nil, forAPI: StoreKitLoadProductsAPI())
    let failure: SKTestFailures.Purchase? = await session.simulatedError(forAPI: .purchase)
    let _: SKTestFailures.LoadProducts? = await session.simulatedError(forAPI: StoreKitLoadProductsAPI())
    let _: (any SKTestFailure)? = failure
    let _: any FailableStoreKitAPI = StoreKitVerificationAPI()
}

func checkTestPurchaseOptionAPI(_ session: SKTestSession) async throws {
    let options: Set<Product.PurchaseOption> = [
        .promotionalOffer(id: "spring"), .codeOffer(referenceName: "Welcome"), .purchaseDate(Date()),
        .purchaseDate(Date(), renewalBehavior: .cancelImmediately),
    ]
    let _: Transaction = try await session.buyProduct(identifier: "basket", options: options)
    let behaviours: [Product.PurchaseOption.SubscriptionRenewalBehavior] = [.renewUntilNow, .cancelImmediately]
    let _: any Codable & Hashable & Sendable = behaviours
}
