// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

/// Reads transactions of the journal page by page, so that a listing takes no
/// memory that grows with it.
actor TransactionListing {
    /// The transactions to list.
    enum Selection: Sendable, Hashable {
        /// All but the finished consumables that weren't refunded.
        case all
        /// Those that the app has to deliver and finish.
        case unfinished
    }

    private let selection: Selection
    private let product: String?
    private var page = ListedPage()
    /// The account of the first page. A listing has the transactions of one
    /// customer, and ends when another one signs in.
    private var account: String?

    init(_ selection: Selection, of product: String? = nil) {
        self.selection = selection
        self.product = product
    }

    /// The next transaction; `nil` after the last one.
    func next(_ agent: Agent) async throws -> VerificationResult<Transaction>? {
        while true {
            if let row = page.take(at: agent.changes.generation) {
                if lists(row) { return VerificationResult(row, of: agent) }
            } else if page.isOver(at: agent.changes.generation) {
                return nil
            } else if try await !read(agent) {
                return nil
            }
        }
    }

    /// Reads a page.
    ///
    /// - Returns: `false` when no customer, or another one, is signed in.
    private func read(_ agent: Agent) async throws -> Bool {
        if account == nil { try await SignedAccess.prepare(agent) }
        let (number, generation) = (page.number, agent.changes.generation)
        guard let customer = try await agent.signedAccount(), account == nil || account == customer else {
            return false
        }
        let (rows, next) = try await rows(agent, of: customer)
        // Another call for this listing may have read the page.
        guard page.number == number else { return true }
        account = customer
        page.fill(rows, next: next, at: generation)
        return true
    }

    private func rows(
        _ agent: Agent, of customer: String
    ) async throws -> (rows: [SignedRow], next: SignedRow.Place?) {
        switch selection {
        case .all:
            let rows = try await agent.signedTransactions(of: product, account: customer, before: page.place)
            return (rows, rows.last?.place)
        case .unfinished:
            let (rows, next) = try await agent.unfinishedSignedTransactions(account: customer, before: page.place)
            return (rows.map(\.row), next)
        }
    }

    private func lists(_ row: SignedRow) -> Bool {
        selection == .unfinished || !row.isUsedUp || Self.listsConsumed
    }

    /// Whether the app's Info.plist asks for finished consumables.
    private static var listsConsumed: Bool {
        Bundle.main.object(forInfoDictionaryKey: "SKIncludeConsumableInAppPurchaseHistory") as? Bool ?? false
    }
}
