// SPDX-License-Identifier: Apache-2.0

/// The answers of the App Store Server API, with Apple's names. The app's
/// number in Apple's store (`appAppleId`) is absent, as in Apple's sandbox.
package enum ServerAnswers {
    /// `TransactionInfoResponse`.
    package struct TransactionInfo: Encodable, Sendable {
        var signedTransactionInfo: String
    }

    /// `HistoryResponse`.
    package struct History: Encodable, Sendable {
        var bundleId: String
        var environment: String
        var hasMore: Bool
        var revision: String
        var signedTransactions: [String]
    }

    /// `RefundHistoryResponse`.
    package struct RefundHistory: Encodable, Sendable {
        var hasMore: Bool
        var revision: String
        var signedTransactions: [String]
    }

    /// `StatusResponse`.
    package struct Statuses: Encodable, Sendable {
        var bundleId: String
        var environment: String
        var data: [Group]
    }

    /// `SubscriptionGroupIdentifierItem`.
    package struct Group: Encodable, Sendable {
        var subscriptionGroupIdentifier: String
        var lastTransactions: [LastTransaction]
    }

    /// `LastTransactionsItem`.
    package struct LastTransaction: Encodable, Sendable {
        var originalTransactionId: String
        var status: Int
        var signedTransactionInfo: String
        var signedRenewalInfo: String
    }

    /// The body of a refusal.
    package struct Failure: Encodable, Sendable {
        var errorCode: Int
        var errorMessage: String

        package init(errorCode: Int, errorMessage: String) {
            self.errorCode = errorCode
            self.errorMessage = errorMessage
        }
    }
}
