// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Takes up payments that a crash, or a provider out of reach, left on their
/// way. An unknown outcome is looked up by the payment's number before
/// anything is repeated.
package struct RecoveringPayments: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    private var buying: Buying { Buying(context) }

    /// Takes up every payment that was begun before a moment and returns the
    /// requests that got their answer by it.
    ///
    /// A payment whose provider can't be reached stays for the next time.
    package func callAsFunction(begunUntil limit: Instant, now: Instant) async throws -> [Request] {
        let payments = try await database.read { [environment] connection in
            try Payment.underWay(createdUntil: limit, environment, connection)
        }
        var answered: [Request] = []
        for payment in payments {
            do {
                if let request = try await recover(payment, now: now) { answered.append(request) }
            } catch let error as DomainError where error.code == .providerUnavailable {
                continue
            }
        }
        return answered
    }

    private func recover(_ payment: Payment, now: Instant) async throws -> Request? {
        if payment.status == .committed {
            try await buying.capture(payment)
            return nil
        }
        switch try await context.provider.lookUp(payment.number) {
        case .declined:
            try await buying.decline(payment)
            return nil
        case .authorised, nil:
            // Asking again under the same number is the same authorisation.
            do {
                return try await buying.complete(payment, now: now)
            } catch let error as DomainError where error.code == .declined {
                return nil
            }
        }
    }
}
