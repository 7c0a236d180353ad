// SPDX-License-Identifier: Apache-2.0

/// The messages about payment methods.
extension Control {
    /// Lists the payment methods of an account.
    package struct PaymentMethodsCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    /// Adds one of the sandbox's test methods to an account.
    package struct AddPaymentMethodCall: Codable, Sendable {
        package var email: String
        /// `accepted`, `declined`, `bank` or `expiring`.
        package var card: String
        /// Whether later payments are charged by it; absent for an account's
        /// first method alone.
        package var isPreferred: Bool?

        package init(email: String, card: String, isPreferred: Bool? = nil) {
            self.email = email
            self.card = card
            self.isPreferred = isPreferred
        }
    }

    /// Names a method of an account, to prefer or to remove it.
    package struct PaymentMethodCall: Codable, Sendable {
        package var email: String
        package var method: String

        package init(email: String, method: String) {
            self.email = email
            self.method = method
        }
    }

    /// The payment methods of an account, the oldest first.
    package struct PaymentMethodsAnswer: Codable, Sendable {
        package var methods: [PaymentMethodAnswer]
    }

    package struct PaymentMethodAnswer: Codable, Sendable {
        package var method: String
        /// Such as `card`.
        package var kind: String
        package var label: String
        /// The last four digits of its number; empty for a method without any.
        package var digits: String
        package var isPreferred: Bool
        /// In milliseconds since 1970 of the account's time.
        package var expires: Int64?
    }
}
