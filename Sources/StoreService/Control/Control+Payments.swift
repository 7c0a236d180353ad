// SPDX-License-Identifier: Apache-2.0

import StoreCore
package import StoreDomain

extension Control {
    /// Sets how the sandbox's payment provider answers the next payments.
    package struct SetPaymentAnswerCall: Codable, Sendable {
        /// The e-mail address of an account; absent for all accounts without
        /// an answer of their own.
        package var account: String?
        /// `authorise`, `decline` or `pending`; absent removes the answer.
        package var answer: String?
        /// With `pending`: whether the customer has to act on a page.
        package var hasAction: Bool?
        /// With `pending`: the seconds that the store waits.
        package var lifetime: Int64?
        /// With `pending`: the later answer, `authorise` or `decline`.
        package var outcome: String?
        /// The seconds until the later answer.
        package var delay: Int64?
        /// Whether each event is sent twice.
        package var isSentTwice: Bool?
        /// Whether an older event is sent after the later answer's.
        package var isOutOfOrder: Bool?
        /// The number of payments that are answered so, such as the next 3;
        /// absent without an end.
        package var times: Int64?
        /// With `decline`: the sentence for the customer.
        package var reason: String?

        package init(account: String? = nil, answer: String? = nil) {
            self.account = account
            self.answer = answer
        }

        /// The answer to set; `nil` to remove one.
        ///
        /// - Throws: `DomainError` `invalid` for a time of more than a year.
        func settings() throws -> SandboxAnswer? {
            guard let answer else { return nil }
            var settings = SandboxAnswer()
            settings.kind = SandboxAnswer.Kind(rawValue: answer)
            settings.hasAction = hasAction ?? false
            settings.lifetime = try lifetime.map(Self.duration) ?? settings.lifetime
            settings.outcome = outcome.map(SandboxAnswer.Kind.init(rawValue:))
            settings.delay = try delay.map(Self.duration) ?? settings.delay
            settings.isSentTwice = isSentTwice ?? false
            settings.isOutOfOrder = isOutOfOrder ?? false
            settings.times = times
            settings.reason = reason
            return settings
        }

        private static func duration(seconds: Int64) throws -> Duration {
            guard (0...366 * 86_400).contains(seconds) else {
                throw DomainError(.invalid, "A time is 0 to 366 days, in seconds.")
            }
            return .seconds(seconds)
        }
    }

    package struct PaymentsCall: Codable, Sendable {
        package init() {}
    }

    /// A payment that waits for its customer or a bank.
    package struct PaymentAnswer: Codable, Sendable {
        package var payment: String
        package var email: String
        package var bundle: String
        package var product: String
        /// The amount as a decimal number.
        package var amount: String
        package var currency: String
        /// The page on which the customer has to act; absent when there is
        /// none.
        package var action: String?
        /// When the store stops waiting, in milliseconds since 1970.
        package var expires: Int64
    }

    package struct PaymentsAnswer: Codable, Sendable {
        package var payments: [PaymentAnswer]
    }

    /// Answers a payment in the place of its customer or a bank.
    package struct AnswerPaymentCall: Codable, Sendable {
        package var payment: String
        /// False declines the payment.
        package var isConfirmed: Bool

        package init(payment: String, isConfirmed: Bool) {
            self.payment = payment
            self.isConfirmed = isConfirmed
        }
    }
}

/// Payments that the sandbox's provider answers on demand.
extension StoreService {
    /// The pending payments that expire first.
    ///
    /// - Throws: `DatabaseError`.
    func pendingPayments() async throws -> [Control.PaymentAnswer] {
        try await ListingPayments(context)().map { pending in
            let payment = pending.payment
            return Control.PaymentAnswer(
                payment: payment.number.rawValue, email: pending.email, bundle: pending.bundleIdentifier.rawValue,
                product: pending.productIdentifier.rawValue, amount: payment.amount.decimal,
                currency: payment.amount.currency, action: payment.pending.flatMap(actionAddress),
                expires: payment.pending?.expires.milliseconds ?? 0)
        }
    }

    /// Answers a payment of the sandbox, and handles the event about it.
    ///
    /// - Throws: The errors of `AnsweringSandboxPayment`.
    package func answer(_ payment: PaymentIdentifier, isConfirmed: Bool) async throws {
        try await AnsweringSandboxPayment(context)(payment, isConfirmed: isConfirmed)
        await receiveProviderEvents()
    }

    /// The payment for the sandbox's page on which its customer acts.
    ///
    /// - Throws: The errors of `AnsweringSandboxPayment.page`.
    package func sandboxPayment(_ payment: PaymentIdentifier) async throws -> SandboxPayment {
        try await AnsweringSandboxPayment(context).page(payment)
    }

    /// Answers a payment on the sandbox's page, and handles the event about
    /// it.
    ///
    /// - Throws: The errors of `AnsweringSandboxPayment.onPage`.
    package func answerOnPage(_ payment: PaymentIdentifier, isConfirmed: Bool) async throws {
        try await AnsweringSandboxPayment(context).onPage(payment, isConfirmed: isConfirmed)
        await receiveProviderEvents()
    }

    /// The address at which the customer of a pending payment acts; `nil`
    /// when there is none, or when it isn't the address of a page.
    package func actionAddress(_ pending: PendingAuthorisation) -> String? {
        guard let address = pending.address else { return nil }
        if address.hasPrefix("/") { return publicURL + address }
        return ["https://", "http://"].contains { address.lowercased().hasPrefix($0) } ? address : nil
    }
}
