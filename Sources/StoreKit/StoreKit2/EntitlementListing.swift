// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

/// Reads the transactions that entitle the customer to a product now.
///
/// The newest verified transaction of a product, or of a subscription,
/// decides. Transactions that aren't verified are left out.
actor EntitlementListing {
    private let product: String?
    private var rows: [SignedRow] = []
    private var place: SignedRow.Place?
    private var isOver = false
    /// The products and subscriptions whose newest transaction was read.
    private var decided: Set<String> = []
    private var graceEnds: [UInt64: Date]?
    /// The account's time when the last page was read.
    private var now = Date.missing

    init(of product: String? = nil) {
        self.product = product
    }

    /// The next entitlement; `nil` after the last one.
    func next(_ agent: Agent) async throws -> VerificationResult<Transaction>? {
        while true {
            while !rows.isEmpty {
                let row = rows.removeFirst()
                // The row's columns aren't verified: they may leave a transaction out, and entitle to nothing.
                guard concerns(row), !decided.contains(row.subject),
                    case .verified(let transaction) = VerificationResult<Transaction>(row, of: agent),
                    decided.insert(transaction.subject).inserted
                else { continue }
                if try await entitles(transaction, at: now, agent) { return .verified(transaction) }
            }
            guard !isOver else { return nil }
            try await SignedAccess.prepare(agent)
            now = Date(milliseconds: try await agent.currentAccountTime())
            // A subscription's newest period decides, whichever its product.
            rows = try await agent.signedTransactions(isOwned: true, before: place)
            isOver = rows.isEmpty
            place = rows.last?.place
        }
    }

    /// Whether a row may decide about the product. A period of another product
    /// may be the newest one of the subscription.
    private func concerns(_ row: SignedRow) -> Bool {
        product == nil || row.productIdentifier == product || row.isPeriod
    }

    private func entitles(_ transaction: Transaction, at now: Date, _ agent: Agent) async throws -> Bool {
        guard product == nil || transaction.productID == product, transaction.revocationDate == nil else {
            return false
        }
        guard transaction.productType == .autoRenewable else { return transaction.productType != .consumable }
        guard !transaction.isUpgraded else { return false }
        if let end = transaction.expirationDate, end > now { return true }
        return try await graceEnd(of: transaction, agent).map { $0 > now } ?? false
    }

    private func graceEnd(of transaction: Transaction, _ agent: Agent) async throws -> Date? {
        if graceEnds == nil {
            var ends: [UInt64: Date] = [:]
            for (renewal, row) in try await agent.signedRenewals() {
                let period = VerificationResult<Transaction>(row, of: agent)
                let result = VerificationResult<Product.SubscriptionInfo.RenewalInfo>(
                    renewal, beside: period, of: agent)
                guard case .verified(let info) = result else { continue }
                ends[info.originalTransactionID] = info.gracePeriodExpirationDate
            }
            graceEnds = ends
        }
        return graceEnds?[transaction.originalID]
    }
}

extension Transaction {
    /// The product or, of a subscription, the first transaction, like
    /// `SignedRow.subject`.
    fileprivate var subject: String {
        productType == .autoRenewable ? "subscription \(originalID)" : "product \(productID)"
    }
}
