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
                guard concerns(row), !decided.contains(row.subject),
                    case .verified(let transaction) = VerificationResult<Transaction>(row, of: agent)
                else { continue }
                decided.insert(row.subject)
                if try await entitles(transaction, at: now, agent) { return .verified(transaction) }
            }
            guard !isOver else { return nil }
            try await SignedAccess.prepare(agent)
            now = Date(timeIntervalSince1970: Double(try await agent.currentAccountTime()) / 1000)
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
        guard transaction.productType == .autoRenewable else { return true }
        guard !transaction.isUpgraded else { return false }
        if let end = transaction.expirationDate, end > now { return true }
        return try await graceEnd(of: transaction, agent).map { $0 > now } ?? false
    }

    private func graceEnd(of transaction: Transaction, _ agent: Agent) async throws -> Date? {
        if graceEnds == nil {
            var ends: [UInt64: Date] = [:]
            for (renewal, _) in try await agent.signedRenewals() {
                let result = VerificationResult<Product.SubscriptionInfo.RenewalInfo>(renewal, of: agent)
                guard case .verified(let info) = result else { continue }
                ends[info.originalTransactionID] = info.gracePeriodExpirationDate
            }
            graceEnds = ends
        }
        return graceEnds?[transaction.originalID]
    }
}
