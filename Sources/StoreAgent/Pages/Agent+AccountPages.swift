// SPDX-License-Identifier: Apache-2.0

package import StoreAPI
import StoreCore

/// The end of a customer's request for a refund.
package enum RefundOutcome: Sendable, Hashable {
    /// The store has the request.
    case requested
    /// The customer hasn't sent the form.
    case cancelled
    /// An earlier request waits for a decision.
    case duplicate
    /// The purchase cost nothing, or its price was given back.
    case ineligible
    /// The account has no such purchase, or the store no such page.
    case failed
}

/// The pages of the account, for StoreKit 2.
extension Agent {
    /// The longest time for which the end of a form is awaited when the program
    /// that shows it doesn't wait for the customer.
    package static let longestForm: Duration = .seconds(600)

    /// Shows a page of the account. Returns when the program that shows it has
    /// ended; a browser ends when the page is open.
    ///
    /// - Returns: whether the store has the page.
    /// - Throws: ``PurchaseFailure``, the presenter's error, `CancellationError`.
    package func show(_ page: AccountPageCall.Page) async throws -> Bool {
        guard let address = try await accountPage(page).page else { return false }
        try await show(try SheetAddress(address, from: configuration.storeURL))
        return true
    }

    /// Shows the form on which the customer asks for a refund of a purchase, and
    /// waits until the customer has sent it: at most for ``longestForm``, or
    /// until the program that shows the form has ended.
    ///
    /// - Throws: ``PurchaseFailure``, the presenter's error, `DatabaseError`,
    ///   `CancellationError`. The form stays open then.
    package func requestRefund(of transaction: String) async throws -> RefundOutcome {
        let before = try await accountPage(.refund, of: transaction)
        guard let page = before.page, let refund = before.refund else { return .failed }
        guard !refund.waits else { return .duplicate }
        guard refund.isEligible else { return .ineligible }
        let form = RefundForm(agent: self, transaction: transaction, known: refund.request)
        try await show(try SheetAddress(page, from: configuration.storeURL))
        if synchronizer.presenter.waitsForCustomer { return try await form.isSent ? .requested : .cancelled }
        return try await form.waitUntilSent(atMost: Self.longestForm) ? .requested : .cancelled
    }

    fileprivate func accountPage(
        _ page: AccountPageCall.Page, of transaction: String? = nil
    ) async throws -> AccountPageCall.Answer {
        do {
            return try await store.call(
                AccountPageCall(
                    bundleIdentifier: configuration.bundleIdentifier, page: page, transactionIdentifier: transaction))
        } catch {
            try Task.checkCancellation()
            throw PurchaseFailure(error)
        }
    }
}

/// A form for a refund that the customer has open.
private struct RefundForm: Sendable {
    let agent: Agent
    let transaction: String
    /// The newest request before the form was opened.
    let known: String?

    /// Whether the store has a request of this form.
    var isSent: Bool {
        get async throws {
            let refund = try await agent.accountPage(.refund, of: transaction).refund
            return refund?.request != nil && refund?.request != known
        }
    }

    /// Asks the store after each event of the account, which the request is one
    /// of.
    func waitUntilSent(atMost limit: Duration) async throws -> Bool {
        try await agent.wait(atMost: limit, from: EventPosition?.none) { asked in
            let position = try await agent.journal.state().position
            defer { asked = position }
            guard asked == nil || asked != position else { return false }
            return try await isSent
        }
    }
}
