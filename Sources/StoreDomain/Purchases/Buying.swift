// SPDX-License-Identifier: Apache-2.0

package import StoreCore
import StoreDatabase

/// Makes the purchase that a customer confirms on a sheet: step 5 of a
/// purchase's life. The right to buy is reserved, the provider authorises,
/// one database transaction makes the purchase, and the amount is captured.
///
/// When the process ends between two of these steps, ``RecoveringPayments``
/// completes the payment by its number.
package struct Buying: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The state of a purchase after the customer's confirmation.
    package struct Progress: Sendable {
        /// The request after the confirmation, with its new status.
        package var request: DeviceRequest
        /// Why a recorded payment isn't completed yet, or the money of a
        /// purchase isn't captured yet; ``RecoveringPayments`` completes it.
        package var delay: (any Error)?
    }

    /// Confirms a payment's sheet for an account whose password was checked.
    ///
    /// Nothing is charged or done on other terms than those that were `shown`, if
    /// they are given. `method` is the payment
    /// method that the customer has chosen; `nil` for the preferred one. If
    /// `contact` is given, it is shared with the seller when the purchase is
    /// made, whose period is longer then.
    ///
    /// `tokens` are those of the link that the customer has clicked in the day
    /// before, and are kept with the purchase.
    ///
    /// When another person has to decide first (Ask to Buy), or the purchase
    /// is interrupted, the request's status says which, and ``ResolvingPendingPurchase``
    /// completes it.
    ///
    /// An error after the reservation, other than `declined`, isn't thrown,
    /// because the payment is recorded and may be charged later. The request
    /// is then `processing`, and the outcome's `delay` has the error. A
    /// customer who read "try again" could pay twice. The request is also
    /// `processing` while the provider waits for the customer or the bank.
    ///
    /// - Throws: ``DomainError``: `notFound`, `sheetUsed`, `sheetExpired`,
    ///   `underWay`, `declined` (the sheet stays open for another try; also for
    ///   an account without any payment method), `priceChanged` when other
    ///   terms or a method that the account doesn't have were shown,
    ///   `wrongPassword` when the account was closed since its password was
    ///   checked, `invalid` when the sheet asks for no payment or the price is
    ///   too large.
    package func callAsFunction(
        sheet token: String, account: Account, shown: AgreedTerms?, contact: SharedContact? = nil,
        method: PaymentMethodIdentifier? = nil, tokens: CampaignTokens? = nil
    ) async throws -> Progress {
        try await confirm(
            sheet: token, account: account,
            ConfirmedTerms(shown: shown, contact: contact, method: method, tokens: tokens))
    }

    /// Confirms the sheet of a payment, or of a redemption with the hash of its
    /// code, as the other function does.
    func confirm(
        sheet token: String, account: Account, _ confirmed: ConfirmedTerms, code: String? = nil
    ) async throws -> Progress {
        faults("reserve:before")
        let confirmation = Confirmation(
            sheet: token, account: account.identifier, confirmed: confirmed, code: code,
            attempt: Attempt(
                number: context.newPaymentIdentifier(),
                identifier: context.newTransactionIdentifier(for: account.identifier), method: confirmed.method))
        let reserved = try await write(for: account.identifier) { db in try Self.reserve(confirmation, db) }
        faults("reserve:after")
        return try await complete(reserved)
    }

    /// Completes a reserved payment, as far as that is possible now. From the
    /// reservation on every transaction of a payment is urgent: the database
    /// refuses new work, and not the completion of a payment.
    ///
    /// - Throws: ``DomainError`` `declined`, and `notFound` when the store was
    ///   emptied meanwhile; no other error.
    func complete(_ reserved: Reserved) async throws -> Progress {
        guard let payment = reserved.payment else { return Progress(request: reserved.request) }
        let settled: Settled
        do {
            settled = try await leased(.payment(payment.number), isComplete: { $0.delay == nil }) {
                try await complete(payment)
            }
        } catch let error as DomainError where error.code == .notFound {
            throw error
        } catch {
            return Progress(request: reserved.request, delay: error)
        }
        guard let progress = settled.progress else { return Progress(request: reserved.request, delay: settled.delay) }
        // An event may have ended the payment before this answer, or completed
        // it.
        guard settled.payment.status.endedWithoutPurchase, !progress.request.status.isOver else { return progress }
        throw DomainError(.declined, settled.reason ?? "The payment was declined.")
    }

    /// Authorises, commits and captures a reserved payment, or makes it wait
    /// for the provider. Repeating the call changes nothing.
    func complete(_ payment: Payment) async throws -> Settled {
        faults("authorise:before")
        let answer = try await context.provider.authorise(
            payment.number, amount: payment.amount, method: payment.method?.reference)
        faults("authorise:after")
        return try await settle(payment, by: answer)
    }

    /// Saves the consequence of a provider's answer, then captures or
    /// releases the amount.
    func settle(_ payment: Payment, by answer: Authorisation) async throws -> Settled {
        let step = PaymentDecision.settling(payment.status, by: answer).step
        if let step { faults("\(step):before") }
        let identifier = context.newTransactionIdentifier(for: payment.account)
        var settled: Settled
        do {
            settled = try await write(for: payment.account, isUrgent: true) { db in
                try Self.settle(payment, by: answer, identifier: identifier, db)
            }
        } catch let error as DomainError where error.code == .notFound {
            settled = try await end(payment, because: error)
        }
        if let step { faults("\(step):after") }
        if case .declined(let reason) = answer { settled.reason = reason }
        return await follow(settled)
    }

    /// Ends a payment that can't become a purchase. The provider releases the
    /// amount of one that a reset has deleted immediately: no later work finds
    /// it.
    ///
    /// - Throws: ``DomainError`` `notFound` for such a payment.
    private func end(_ payment: Payment, because error: DomainError) async throws -> Settled {
        do {
            return try await write(for: payment.account, isUrgent: true) { db in
                try Self.void(payment, because: error, db)
            }
        } catch let removed as DomainError where removed.code == .notFound {
            try await context.provider.void(payment.number)
            throw removed
        }
    }

    /// Captures or releases the amount of a settled payment, as its status
    /// says.
    func follow(_ settled: Settled) async -> Settled {
        var settled = settled
        do {
            switch settled.payment.status {
            case .committed: try await capture(settled.payment)
            case .voiding: try await release(settled.payment)
            default: break
            }
        } catch {
            // The purchase is made and is delivered even if the capture
            // fails, and an amount that isn't released is never captured.
            settled.delay = error
        }
        return settled
    }

    /// Captures a committed payment.
    func capture(_ payment: Payment) async throws {
        faults("capture:before")
        try await context.provider.capture(payment.number)
        try await write(for: payment.account, isUrgent: true) { db in
            _ = try payment.move(from: .committed, to: .captured, db)
        }
        faults("capture:after")
    }

    /// Releases the amount of a payment that ended without a purchase.
    func release(_ payment: Payment) async throws {
        faults("release:before")
        try await context.provider.void(payment.number)
        faults("release:saving")
        try await write(for: payment.account, isUrgent: true) { db in
            _ = try payment.move(from: .voiding, to: .voided, db)
        }
        faults("release:after")
    }
}
