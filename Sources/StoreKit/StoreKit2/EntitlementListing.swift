// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

/// Reads the transactions that entitle the customer to a product now.
///
/// The newest verified transaction of a product, or of a subscription,
/// decides. Transactions that aren't verified are left out, and so are periods
/// that were upgraded: by the clocks of two nodes of the store, the period after
/// one may have begun before it.
actor EntitlementListing {
    private let product: String?
    private var page = ListedPage()
    /// The account of the first page. A listing has the entitlements of one
    /// customer, and ends when another one signs in.
    private var account: String?
    /// The products and subscriptions whose newest transaction was read.
    private var decided: Set<String> = []
    private var graceEnds: [UInt64: Date]?
    /// The account's time when the page was read.
    private var now = Date.missing

    init(of product: String? = nil) {
        self.product = product
    }

    /// The next entitlement; `nil` after the last one.
    func next(_ agent: Agent) async throws -> VerificationResult<Transaction>? {
        while true {
            guard let row = page.take(at: agent.changes.generation) else {
                if page.isOver(at: agent.changes.generation) { return nil }
                guard try await read(agent) else { return nil }
                continue
            }
            // The row's columns aren't verified: they may leave a transaction out, and entitle to nothing.
            guard concerns(row), !decided.contains(row.subject),
                case .verified(let transaction) = VerificationResult<Transaction>(row, of: agent),
                !transaction.isUpgraded, decided.insert(transaction.subject).inserted
            else { continue }
            if try await entitles(transaction, at: now, agent) { return .verified(transaction) }
        }
    }

    /// Reads a page.
    ///
    /// - Returns: `false` when no customer, or another one, is signed in.
    private func read(_ agent: Agent) async throws -> Bool {
        if account == nil { try await SignedAccess.prepare(agent) }
        let (number, generation) = (page.number, agent.changes.generation)
        let time = try await agent.currentAccountTime()
        guard let customer = try await agent.signedAccount(), account == nil || account == customer else {
            return false
        }
        // A subscription's newest period decides, whichever its product.
        let rows = try await agent.signedTransactions(isOwned: true, account: customer, before: page.place)
        // Another call for this listing may have read the page.
        guard page.number == number else { return true }
        (account, now, graceEnds) = (customer, Date(milliseconds: time), nil)
        page.fill(rows, next: rows.last?.place, at: generation)
        return true
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
