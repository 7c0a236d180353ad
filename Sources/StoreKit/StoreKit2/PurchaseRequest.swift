// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent
import StoreCore

/// A payment with the options of `Product.purchase(options:)`.
struct PurchaseRequest: Sendable {
    private(set) var payment: AgentPayment
    private(set) var onStorefrontChange: TransactionHub.StorefrontHandler?
    /// The options of a test, for purchases that a session makes.
    private(set) var testOptions: [TestPurchaseOption] = []

    /// Of several values of one option, the debug descriptions decide: the
    /// last one in their order is used.
    ///
    /// - Throws: ``Product/PurchaseError`` `invalidQuantity`.
    init(_ product: Product.ID, _ options: Set<Product.PurchaseOption>) throws {
        payment = AgentPayment(productIdentifier: product, isAwaited: true)
        for option in options.sorted(by: { $0.debugDescription < $1.debugDescription }) {
            switch option.value {
            case .appAccountToken(let token): payment.applicationUsername = token.uuidString.lowercased()
            case .quantity(let quantity): payment.quantity = quantity
            case .simulatesAskToBuy(let simulates): payment.simulatesAskToBuy = simulates
            case .offer(let offer): payment.discount = offer.info
            case .winBackOffer(let offer): payment.winBackOffer = offer
            case .introductoryOfferEligibility(let token): payment.introductoryOfferEligibility = token
            case .storefrontChange(let change): onStorefrontChange = change.shouldContinue
            case .test(let option): testOptions.append(option)
            case .custom: break
            }
        }
        guard (1...10).contains(payment.quantity) else { throw Product.PurchaseError.invalidQuantity }
    }

    /// Makes the payment, and waits for its decision. No other payment has the
    /// identifier; the hub is that of the process.
    ///
    /// - Throws: ``Product/PurchaseError``, ``StoreKitError``,
    ///   `CancellationError`: the payment goes on, and its transaction is an
    ///   update. `unsupported` for options of a test session.
    func perform(
        _ agent: Agent, hub: TransactionHub = .shared, as purchase: AgentTransaction.ID
    ) async throws -> Product.PurchaseResult {
        guard testOptions.isEmpty else { throw StoreKitError.unsupported }
        guard try await agent.allowsPayments() else { throw Product.PurchaseError.purchaseNotAllowed }
        try await agent.useSignedTransactions()
        await hub.begin(agent)
        hub.await(purchase, of: agent, onStorefrontChange: onStorefrontChange)
        var isReturned = false
        defer {
            hub.leave(purchase, of: agent)
            if !isReturned { agent.abandon(purchase) }
            hub.end(agent)
            // A listener may receive the transaction now.
            agent.changes.post()
        }
        try await agent.begin(payment, as: purchase)
        var transaction: String?
        while true {
            let generation = agent.changes.generation
            let outcome = try await agent.outcome(of: purchase)
            if case .waiting(let known?) = outcome { transaction = known }
            if let result = try await result(outcome, of: purchase, transaction, agent, hub) {
                if case .success = result { isReturned = true }
                return result
            }
            guard !agent.changes.isClosed else { throw StoreKitError.unknown }
            await agent.changes.wait(after: generation)
            try Task.checkCancellation()
        }
    }

    /// The result of a purchase; `nil` while it isn't decided. `transaction` is
    /// the number that it had when it was in the queue.
    private func result(
        _ outcome: PurchaseOutcome, of purchase: AgentTransaction.ID, _ transaction: String?, _ agent: Agent,
        _ hub: TransactionHub
    ) async throws -> Product.PurchaseResult? {
        switch outcome {
        case .waiting: return nil
        case .pending: return .pending
        case .away:
            // The transaction is an update when its customer signs in again.
            throw StoreKitError.unknown
        case .purchased(let row): return success(row, of: purchase, agent, hub)
        case .gone:
            guard let row = try await agent.departed(transaction, of: payment.productIdentifier) else {
                throw StoreKitError.unknown
            }
            return success(row, of: purchase, agent, hub)
        case .failed(let failure):
            try await agent.removeFailed(purchase)
            if failure.code == .paymentCancelled { return .userCancelled }
            if let error = Product.PurchaseError(failure) { throw error }
            throw StoreKitError(failure)
        }
    }

    private func success(
        _ row: SignedRow, of purchase: AgentTransaction.ID, _ agent: Agent, _ hub: TransactionHub
    ) -> Product.PurchaseResult {
        hub.leave(purchase, returning: row.transactionIdentifier, of: agent)
        return .success(VerificationResult(row, of: agent))
    }
}
