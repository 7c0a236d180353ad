// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The failures that a session simulates.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
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
        let simulations = [
            simulation(.loadProducts, .generic(.unsupported)) { _ = try await Product.products(for: ["apple"]) },
            simulation(.purchase, .generic(.unsupported)) { _ = try await product.purchase() },
            simulation(.appStoreSync, .generic(.unsupported)) { try await AppStore.sync() },
            simulation(.subscriptionStatus, .generic(.unsupported)) {
                _ = try await Product.SubscriptionInfo.status(for: "BASKETS")
            },
            simulation(.appTransaction, .generic(.unsupported)) { _ = try await AppTransaction.shared },
            simulation(.manageSubscriptions, .generic(.unsupported)) { try await AppStore.showManageSubscriptions() },
            simulation(.offerCodeRedeem, .generic(.unsupported)) { try await AppStore.presentOfferCodeRedeemSheet() },
        ]
        // The last one, because the purchase can be refunded once.
        let refund = simulation(.refundRequest, .generic(.unsupported)) {
            _ = try await transaction.beginRefundRequest()
        }
        for simulation in simulations + [refund] {
            try await simulation.set(true)
            for other in simulations + (simulation.name == refund.name ? [refund] : []) {
                let fails = await isSimulated(other.call)
                #expect(fails == (other.name == simulation.name), "\(other.name) with a failure of \(simulation.name)")
            }
            try await simulation.set(false)
        }
        for simulation in simulations + [refund] { #expect(await !isSimulated(simulation.call), "\(simulation.name)") }
    }

    /// A function, and how the session begins and ends to simulate its failure.
    private struct Simulation {
        let name: String
        let set: @MainActor (Bool) async throws -> Void
        let call: @MainActor () async throws -> Void
    }

    private func simulation<API: FailableStoreKitAPI>(
        _ api: API, _ failure: API.Failure, _ call: @escaping @MainActor () async throws -> Void
    ) -> Simulation {
        Simulation(
            name: "\(API.self)",
            set: { [session] fails in try await session.setSimulatedError(fails ? failure : nil, forAPI: api) },
            call: call)
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
        var unverified: Set<String> = []
        for await result in Transaction.all {
            guard case .unverified(let transaction, .revokedCertificate) = result else {
                Issue.record("\(result) is verified")
                return
            }
            unverified.insert(transaction.productID)
        }
        #expect(unverified == ["apple", "small"])
        let status = try #require(try await Product.SubscriptionInfo.status(for: "BASKETS").first)
        #expect(throws: VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError.revokedCertificate) {
            try status.renewalInfo.payloadValue
        }
        let app = try await AppTransaction.shared
        #expect(throws: VerificationResult<AppTransaction>.VerificationError.revokedCertificate) {
            try app.payloadValue
        }

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
        let code = SKTestFailures.Purchase.generic(.unknown)._errorCode
        #expect(SKTestFailures.Purchase(_fromErrorCode: code) == .generic(.unknown))
        #expect(SKTestFailures.RefundRequest(_fromErrorCode: code) == nil)
        #expect(code != SKTestFailures.RefundRequest.generic(.unknown)._errorCode)
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
