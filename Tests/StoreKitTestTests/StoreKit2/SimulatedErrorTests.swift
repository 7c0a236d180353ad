// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The failures that a session simulates.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.minutes(10)))
@MainActor
struct SimulatedErrorTests {
    private let configuration: Configuration
    private let session: SKTestSession

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
    }

    /// Whether a function fails with `unsupported`, which nothing but the test
    /// makes it do.
    private func isSimulated(_ function: () async throws -> Void) async -> Bool {
        do {
            try await function()
            return false
        } catch StoreKitError.unsupported {
            return true
        } catch {
            Issue.record("\(error) isn't the simulated failure")
            return false
        }
    }

    @Test("Each function fails with its own failure, and with no other function's")
    func functions() async throws {
        let transaction = try await bought("apple")
        let product = try #require(try await Product.products(for: ["juice"]).first)
        let calls: [(String, () async throws -> Void)] = [
            ("loadProducts", { _ = try await Product.products(for: ["apple"]) }),
            ("purchase", { _ = try await product.purchase() }),
            ("appStoreSync", { try await AppStore.sync() }),
            ("subscriptionStatus", { _ = try await Product.SubscriptionInfo.status(for: "BASKETS") }),
            ("appTransaction", { _ = try await AppTransaction.shared }),
            ("manageSubscriptions", { try await AppStore.showManageSubscriptions() }),
            ("offerCodeRedeem", { try await AppStore.presentOfferCodeRedeemSheet() }),
            ("refundRequest", { _ = try await transaction.beginRefundRequest() }),
        ]
        for (name, _) in calls {
            try await set(name)
            for (other, call) in calls where other != "refundRequest" || name == "refundRequest" {
                #expect(await isSimulated(call) == (name == other), "\(other) with a failure of \(name)")
            }
            try await clear(name)
        }
        // After all failures were removed.
        for (name, call) in calls { #expect(await !isSimulated(call), "\(name)") }
    }

    private func set(_ name: String) async throws {
        switch name {
        case "loadProducts": try await session.setSimulatedError(.generic(.unsupported), forAPI: .loadProducts)
        case "purchase": try await session.setSimulatedError(.generic(.unsupported), forAPI: .purchase)
        case "appStoreSync": try await session.setSimulatedError(.generic(.unsupported), forAPI: .appStoreSync)
        case "subscriptionStatus":
            try await session.setSimulatedError(.generic(.unsupported), forAPI: .subscriptionStatus)
        case "appTransaction": try await session.setSimulatedError(.generic(.unsupported), forAPI: .appTransaction)
        case "manageSubscriptions":
            try await session.setSimulatedError(.generic(.unsupported), forAPI: .manageSubscriptions)
        case "offerCodeRedeem": try await session.setSimulatedError(.generic(.unsupported), forAPI: .offerCodeRedeem)
        default: try await session.setSimulatedError(.generic(.unsupported), forAPI: .refundRequest)
        }
    }

    private func clear(_ name: String) async throws {
        switch name {
        case "loadProducts": try await session.setSimulatedError(nil, forAPI: .loadProducts)
        case "purchase": try await session.setSimulatedError(nil, forAPI: .purchase)
        case "appStoreSync": try await session.setSimulatedError(nil, forAPI: .appStoreSync)
        case "subscriptionStatus": try await session.setSimulatedError(nil, forAPI: .subscriptionStatus)
        case "appTransaction": try await session.setSimulatedError(nil, forAPI: .appTransaction)
        case "manageSubscriptions": try await session.setSimulatedError(nil, forAPI: .manageSubscriptions)
        case "offerCodeRedeem": try await session.setSimulatedError(nil, forAPI: .offerCodeRedeem)
        default: try await session.setSimulatedError(nil, forAPI: .refundRequest)
        }
    }

    @Test("A purchase fails with an error of the payment, and charges nothing")
    func purchase() async throws {
        let apple = try #require(try await Product.products(for: ["apple"]).first)
        try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: .purchase)
        #expect(await session.simulatedError(forAPI: .purchase) == .purchase(.purchaseNotAllowed))
        await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { try await apple.purchase() }
        #expect(session.allTransactions().isEmpty)
        #expect(SKPaymentQueue.default().transactions.isEmpty)

        try await session.setSimulatedError(nil, forAPI: .purchase)
        #expect(await session.simulatedError(forAPI: .purchase) == nil)
        _ = try await bought("apple")
    }

    @Test("A request for a refund fails with its own error")
    func refundRequest() async throws {
        let apple = try await bought("apple")
        try await session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
        await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
            try await apple.beginRefundRequest()
        }
        #expect(await products(Transaction.currentEntitlements) == ["apple"])
    }

    @Test("Signed values aren't verified, and nothing is an entitlement, while the verification fails")
    func verification() async throws {
        let apple = try await bought("apple")
        _ = try await bought("small")
        try await session.setSimulatedError(.verification(.revokedCertificate), forAPI: .verification)
        #expect(await products(Transaction.currentEntitlements) == [])
        for await result in Transaction.all {
            guard case .unverified(_, .revokedCertificate) = result else {
                Issue.record("\(result) is verified")
                return
            }
        }
        let status = try #require(try await Product.SubscriptionInfo.status(for: "BASKETS").first)
        #expect(throws: (any Error).self) { try status.renewalInfo.payloadValue }
        let app = try await AppTransaction.shared
        #expect(throws: (any Error).self) { try app.payloadValue }

        try await session.setSimulatedError(nil, forAPI: .verification)
        #expect(await Set(products(Transaction.currentEntitlements)) == ["apple", "small"])
        #expect(await Transaction.latest(for: "apple") == .verified(apple))
    }

    @Test("No later session has the failures of an earlier one, and a reset removes them")
    func isolation() async throws {
        try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
        do {
            let second = try configuration.session()
            #expect(await second.simulatedError(forAPI: .loadProducts) == nil)
            #expect(try await Product.products(for: ["apple"]).count == 1)
        }
        await #expect(throws: StoreKitError.self) { try await Product.products(for: ["apple"]) }
        session.clearTransactions()
        await #expect(throws: StoreKitError.self) { try await Product.products(for: ["apple"]) }
        session.resetToDefaultState()
        session.disableDialogs = true
        #expect(try await Product.products(for: ["apple"]).count == 1)
    }

    @Test("Two failures are equal when their errors are")
    func equality() {
        let lost = URLError(.networkConnectionLost)
        #expect(SKTestFailures.Purchase.generic(.unknown) == .generic(.unknown))
        #expect(SKTestFailures.Purchase.generic(.unknown) != .generic(.unsupported))
        #expect(SKTestFailures.Purchase.generic(.networkError(lost)) == .generic(.networkError(lost)))
        #expect(SKTestFailures.Purchase.generic(.networkError(lost)) != .generic(.networkError(URLError(.timedOut))))
        #expect(SKTestFailures.Purchase.purchase(.invalidQuantity) != .generic(.unknown))
        #expect(
            SKTestFailures.RefundRequest(_fromErrorCode: SKTestFailures.Purchase.purchase(.invalidQuantity)._errorCode)
                == nil)
    }

    @Test("A session refuses to simulate a failure of a function that StoreKitTest doesn't have")
    func unknownFunction() async {
        struct Other: FailableStoreKitAPI {
            typealias Failure = SKTestFailures.LoadProducts
        }
        await #expect(throws: SKTestError.self) {
            try await session.setSimulatedError(.generic(.unknown), forAPI: Other())
        }
        #expect(await session.simulatedError(forAPI: Other()) == nil)
    }
}
