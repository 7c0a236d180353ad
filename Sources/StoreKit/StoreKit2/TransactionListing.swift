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
    private var rows: [SignedRow] = []
    private var place: SignedRow.Place?
    private var isOver = false

    init(_ selection: Selection, of product: String? = nil) {
        self.selection = selection
        self.product = product
    }

    /// The next transaction; `nil` after the last one.
    func next(_ agent: Agent) async throws -> VerificationResult<Transaction>? {
        while rows.isEmpty {
            guard !isOver else { return nil }
            try await read(agent)
        }
        return VerificationResult(rows.removeFirst(), of: agent)
    }

    private func read(_ agent: Agent) async throws {
        try await SignedAccess.prepare(agent)
        switch selection {
        case .all:
            let page = try await agent.signedTransactions(of: product, before: place)
            isOver = page.isEmpty
            place = page.last?.place
            let listsConsumed = Self.listsConsumed
            rows = page.filter { listsConsumed || !$0.isUsedUp }
        case .unfinished:
            let page = try await agent.unfinishedSignedTransactions(before: place)
            isOver = page.next == nil
            place = page.next
            rows = page.rows.map(\.row)
        }
    }

    /// Whether the app's Info.plist asks for finished consumables.
    private static var listsConsumed: Bool {
        Bundle.main.object(forInfoDictionaryKey: "SKIncludeConsumableInAppPurchaseHistory") as? Bool ?? false
    }
}
