// SPDX-License-Identifier: Apache-2.0

import StoreCore
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
    /// If `shown` is given, no other price is charged.
    ///
    /// When another person has to decide first (Ask to Buy), or the purchase
    /// is interrupted, the request's status says which, and ``ResolvingPendingPurchase``
    /// completes it.
    ///
    /// An error after the reservation, other than `declined`, isn't thrown,
    /// because the payment is recorded and may be charged later. The request
    /// is then `processing`, and the outcome's `delay` has the error. A
    /// customer who read "try again" could pay twice.
    ///
    /// - Throws: ``DomainError``: `notFound`, `sheetUsed`, `sheetExpired`,
    ///   `underWay`, `declined` (the sheet stays open for another try),
    ///   `priceChanged` when another price was shown, `wrongPassword` when
    ///   the account was closed since its password was checked, `invalid`
    ///   when the sheet asks for no payment or the price is too large.
    package func callAsFunction(
        sheet token: String, account: Account, shown: Money?
    ) async throws -> Progress {
        faults("reserve:before")
        let confirmation = Confirmation(
            sheet: token, account: account.identifier, shown: shown,
            attempt: Attempt(
                number: context.newPaymentIdentifier(), identifier: context.newTransactionIdentifier()))
        let reserved = try await write(for: account.identifier) { db in try Self.reserve(confirmation, db) }
        faults("reserve:after")
        return try await complete(reserved)
    }

    /// Completes a reserved payment, as far as that is possible now. From the
    /// reservation on every transaction of a payment is urgent: the database
    /// refuses new work, and not the completion of a payment.
    ///
    /// - Throws: ``DomainError`` `declined`, and no other error.
    func complete(_ reserved: Reserved) async throws -> Progress {
        guard let payment = reserved.payment else { return Progress(request: reserved.request) }
        do {
            return try await leased(.payment(payment.number), isComplete: { $0.delay == nil }) {
                try await complete(payment)
            }
        } catch let error as DomainError where error.code == .declined {
            throw error
        } catch {
            return Progress(request: reserved.request, delay: error)
        }
    }

    /// Authorises, commits and captures a reserved payment. Repeating the
    /// call changes nothing.
    func complete(_ payment: Payment) async throws -> Progress {
        faults("authorise:before")
        let authorisation = try await context.provider.authorise(payment.number, amount: payment.amount)
        faults("authorise:after")
        if case .declined(let reason) = authorisation {
            try await decline(payment)
            throw DomainError(.declined, reason)
        }
        faults("commit:before")
        let identifier = context.newTransactionIdentifier()
        let request: DeviceRequest
        do {
            request = try await write(for: payment.account, isUrgent: true) { db in
                try Self.commit(payment, identifier: identifier, db)
            }
        } catch let error as DomainError where error.code == .notFound {
            return Progress(request: try await void(payment, because: error))
        }
        faults("commit:after")
        do {
            try await capture(payment)
            return Progress(request: request)
        } catch {
            // The purchase is made, and is delivered even if the capture
            // fails.
            return Progress(request: request, delay: error)
        }
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
}
