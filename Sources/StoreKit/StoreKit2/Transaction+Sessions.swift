// SPDX-License-Identifier: Apache-2.0

package import StoreAgent

// The parts of StoreKit 2 that a test session uses.
extension Product {
    /// The payment of a product with options, and the options of a test.
    ///
    /// - Throws: ``PurchaseError`` `invalidQuantity`.
    package static func payment(
        _ identifier: ID, _ options: Set<PurchaseOption>
    ) throws -> (payment: AgentPayment, testOptions: [TestPurchaseOption]) {
        let request = try PurchaseRequest(identifier, options)
        var payment = request.payment
        payment.isAwaited = false
        return (payment, request.testOptions)
    }
}

extension Transaction {
    /// The transaction with an identifier of the store; `nil` when the device
    /// doesn't have it.
    ///
    /// - Throws: `DatabaseError`, `CancellationError`.
    package static func signed(_ number: String) async throws -> VerificationResult<Transaction>? {
        try await AgentHost.shared.perform { agent in
            try await SignedAccess.prepare(agent)
            return try await agent.signedTransaction(number).map { VerificationResult<Transaction>($0, of: agent) }
        }
    }
}
