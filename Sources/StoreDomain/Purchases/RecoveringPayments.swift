// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Completes payments and refunds that a crash or an unreachable provider left
/// incomplete, each under a lease: a payment or refund on which another process
/// works is left to that process. The outcome of an authorisation is looked up
/// by the payment's number before the authorisation is repeated.
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

    /// The result of recovering a payment.
    package enum Recovery: Sendable {
        /// The request of the payment isn't processed any more.
        case answered(DeviceRequest)
        /// The payment isn't complete; the next call tries again.
        case failed(paymentNumber: PaymentIdentifier, any Error)
    }

    /// Completes every payment and refund whose lease has run out, and every
    /// pending payment that has expired. Of those that an earlier version
    /// began without a lease it completes the ones that were begun until
    /// `limit`. One that fails doesn't stop the others.
    package func callAsFunction(
        begunUntil limit: WallTime, report: @Sendable (Recovery) -> Void = { _ in }
    ) async throws {
        try await each({ last, db in
            try Payment.underWay(begunUntil: limit, after: last?.number ?? "", db)
        }) { payment in
            await reporting(payment, report) { try await recover(payment, report: report) }
        }
        try await each({ last, db in try Payment.pending(until: db.now, after: last, db) }) { payment in
            await reporting(payment, report) { try await recover(payment, report: report) }
        }
        try await each({ last, db in
            try PaymentRefund.due(madeUntil: limit, after: last?.refund.identifier ?? "", db)
        }) { due in
            await reporting(due, report) { try await RefundingPurchase.settle(due, context) }
        }
    }

    /// Recovers those elements of all pages whose leases this process gets.
    private func each<Element: LeasedRow>(
        _ page: @escaping @Sendable (Element?, StoreTransaction) throws -> [Element],
        _ recover: (Element) async -> Void
    ) async throws {
        var last: Element?
        while true {
            let elements = try await read(isUrgent: true) { [last] db in try page(last, db) }
            guard let final = elements.last else { return }
            last = final
            let taken = try await write(.key(context.leases.writeKey), isUrgent: true) { db in
                try Lease.take(elements, db)
            }
            // All of them are renewed, also those that wait for the others.
            context.leases.hold(taken.map(\.lease))
            for element in taken { await recover(element) }
        }
    }

    private func reporting(
        _ row: some LeasedRow, _ report: @Sendable (Recovery) -> Void, _ body: () async throws -> Void
    ) async {
        do {
            try await leased(row.lease, body)
        } catch {
            report(.failed(paymentNumber: row.paymentNumber, error))
        }
    }

    private func recover(_ payment: Payment, report: @Sendable (Recovery) -> Void) async throws {
        switch payment.status {
        case .committed: return try await buying.capture(payment)
        case .voiding: return try await buying.release(payment)
        default: break
        }
        let settled = try await complete(payment)
        if let failure = settled.delay {
            report(.failed(paymentNumber: payment.number, failure))
            await release(.payment(payment.number))
        }
        if let request = settled.request, request.status != .processing { report(.answered(request)) }
    }

    /// Completes a reserved or an expired payment by the provider's current
    /// answer.
    private func complete(_ payment: Payment) async throws -> Buying.Settled {
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
            var recovered = payment
            recovered.isRecovered = true
            return try await buying.complete(recovered)
        }
    }

    /// Ends a pending payment, here first: a payment that another process has
    /// completed meanwhile keeps its authorisation.
    private func expire(_ payment: Payment) async throws -> Buying.Settled {
        faults("expire:before")
        let settled = try await write(for: payment.account, isUrgent: true) { db in try Buying.expire(payment, db) }
        faults("expire:after")
        return await buying.follow(settled)
    }
}
