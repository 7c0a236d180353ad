// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Completes payments that a crash or an unreachable provider left
/// incomplete. The outcome of an authorisation is looked up by the payment's
/// number before the authorisation is repeated.
///
/// A pending payment waits for an event of the provider. When it expires, the
/// provider is asked once more, and a payment that is still pending ends.
package struct RecoveringPayments: UseCase {
    package let context: StoreContext
    private let requireDeliverable: @Sendable () throws -> Void

    /// Makes the use case. `requireDeliverable` throws while no purchase can
    /// be delivered: reserved payments then wait, but captures, refunds and
    /// declines don't.
    package init(_ context: StoreContext, requireDeliverable: @escaping @Sendable () throws -> Void = {}) {
        self.context = context
        self.requireDeliverable = requireDeliverable
    }

    private var buying: Buying { Buying(context) }

    /// What recovering a payment has led to.
    package enum Recovery: Sendable {
        /// The request's device has to be notified of its state.
        case answered(DeviceRequest)
        /// The payment isn't complete; the next call tries again.
        case failed(paymentNumber: PaymentIdentifier, any Error)
    }

    /// Completes every payment that was begun until `limit`, and every pending
    /// payment that has expired. A payment that fails doesn't stop the others.
    package func callAsFunction(
        begunUntil limit: WallTime, report: @Sendable (Recovery) -> Void = { _ in }
    ) async throws {
        try await each(
            { last, db in try Payment.underWay(begunUntil: limit, after: last?.number ?? "", db) }, report: report)
        try await each({ last, db in try Payment.pending(until: db.now, after: last, db) }, report: report)
    }

    /// Recovers the payments of all pages.
    private func each(
        _ page: @escaping @Sendable (Payment?, StoreTransaction) throws -> [Payment],
        report: @Sendable (Recovery) -> Void
    ) async throws {
        var last: Payment?
        while true {
            let payments = try await read(isUrgent: true) { [last] db in try page(last, db) }
            guard let final = payments.last else { return }
            last = final
            for payment in payments {
                do {
                    if let request = try await recover(payment, report: report) {
                        report(.answered(request))
                    }
                } catch {
                    report(.failed(paymentNumber: payment.number, error))
                }
            }
        }
    }

    private func recover(
        _ payment: Payment, report: @Sendable (Recovery) -> Void
    ) async throws -> DeviceRequest? {
        switch payment.status {
        case .committed:
            try await buying.capture(payment)
            return nil
        case .refunding:
            try await RefundingPurchase.giveBack(payment, context)
            return nil
        case .voiding:
            try await buying.release(payment)
            return nil
        default:
            break
        }
        let progress: Buying.Progress
        do {
            progress = try await complete(payment)
        } catch let error as DomainError where error.code == .declined {
            return try await read(isUrgent: true) { db in
                try DeviceRequest.find(payment.requestIdentifier, of: payment.device, db)
            }
        }
        if let failure = progress.delay {
            report(.failed(paymentNumber: payment.number, failure))
        }
        return progress.request.status == .processing ? nil : progress.request
    }

    /// Completes a reserved or an expired payment by the provider's current
    /// answer.
    private func complete(_ payment: Payment) async throws -> Buying.Progress {
        let answer = try await context.provider.lookUp(payment.number)
        switch answer {
        case .declined(let reason):
            return try await buying.settle(payment, by: .declined(reason))
        case .pending(let pending) where payment.status == .reserved || pending.expires > now:
            return try await buying.settle(payment, by: .pending(pending))
        case nil where payment.status == .pending:
            // The provider has lost the payment, so there is nothing to
            // release.
            return try await buying.settle(payment, by: .declined(PurchaseFailure.unconfirmed))
        case .pending:
            return try await expire(payment)
        case .authorised, nil:
            try requireDeliverable()
            // Authorising again under the same number returns the same
            // authorisation.
            return try await buying.complete(payment)
        }
    }

    /// Ends a pending payment, here first: a payment that another process has
    /// completed meanwhile keeps its authorisation.
    private func expire(_ payment: Payment) async throws -> Buying.Progress {
        faults("expire:before")
        let settled = try await write(for: payment.account, isUrgent: true) { db in try Buying.expire(payment, db) }
        faults("expire:after")
        return try await buying.follow(settled)
    }
}
