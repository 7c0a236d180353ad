// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Completes payments that a crash or an unreachable provider left
/// incomplete, each under a lease: a payment on which another process works
/// is left to it. The outcome of an authorisation is looked up by the payment's
/// number before the authorisation is repeated.
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

    /// Completes every payment whose lease has run out, and of those that an
    /// earlier version began without a lease the ones that were begun until
    /// `limit`. A payment that fails doesn't stop the others.
    package func callAsFunction(
        begunUntil limit: WallTime, report: @Sendable (Recovery) -> Void = { _ in }
    ) async throws {
        var last: PaymentIdentifier = ""
        while true {
            let payments = try await read(isUrgent: true) { [last] db in
                try Payment.underWay(begunUntil: limit, after: last, db)
            }
            guard let final = payments.last else { return }
            last = final.number
            let taken = try await write(isUrgent: true) { db in try Payment.take(payments, db) }
            // All of them are renewed, also those that wait for the others.
            context.leases.hold(taken.map { .payment($0.number) })
            for payment in taken {
                do {
                    let request = try await leased(.payment(payment.number)) {
                        try await recover(payment, report: report)
                    }
                    if let request { report(.answered(request)) }
                } catch {
                    report(.failed(paymentNumber: payment.number, error))
                }
            }
        }
    }

    private func recover(
        _ payment: Payment, report: @Sendable (Recovery) -> Void
    ) async throws -> DeviceRequest? {
        if payment.status == .committed {
            try await buying.capture(payment)
            return nil
        }
        if payment.status == .refunding {
            try await RefundingPurchase.giveBack(payment, context)
            return nil
        }
        if case .declined = try await context.provider.lookUp(payment.number) {
            return try await buying.decline(payment)
        }
        try requireDeliverable()
        // Authorising again under the same number returns the same
        // authorisation.
        do {
            let progress = try await buying.complete(payment)
            if let failure = progress.delay {
                report(.failed(paymentNumber: payment.number, failure))
                await release(.payment(payment.number))
            }
            return progress.request
        } catch let error as DomainError where error.code == .declined {
            return try await read(isUrgent: true) { db in
                try DeviceRequest.find(payment.requestIdentifier, of: payment.device, db)
            }
        }
    }
}
