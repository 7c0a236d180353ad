// SPDX-License-Identifier: Apache-2.0

/// The answers of the App Store Server API, with Apple's names. The number of
/// the app in the store (`appAppleId`) is absent in the sandbox, as in Apple's.
package enum ServerAnswers {
    /// `TransactionInfoResponse`.
    package struct TransactionInfo: Encodable, Sendable {
        var signedTransactionInfo: String
    }

    /// `HistoryResponse`.
    package struct History: Encodable, Sendable {
        var appAppleId: Int64?
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
        var appAppleId: Int64?
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

    /// `RefundLookupResponse`.
    package struct RefundLookup: Encodable, Sendable {
        var signedTransactions: [String]
    }

    /// `OrderLookupResponse`.
    package struct OrderLookup: Encodable, Sendable {
        /// 0 for an order of the app, 1 for any other number.
        var status: Int
        /// Absent with the status 1.
        var signedTransactions: [String]?
    }

    /// `AppTransactionInfoResponse`.
    package struct AppTransactionInfo: Encodable, Sendable {
        var signedAppTransactionInfo: String
    }

    /// `ExtendRenewalDateResponse`.
    package struct ExtendedRenewalDate: Encodable, Sendable {
        /// The new end of the period, in milliseconds since 1970.
        var effectiveDate: Int64
        var originalTransactionId: String
        var success: Bool
        var webOrderLineItemId: String
    }

    /// `MassExtendRenewalDateResponse`.
    package struct MassExtension: Encodable, Sendable {
        var requestIdentifier: String
    }

    /// `MassExtendRenewalDateStatusResponse`. An extension that isn't complete
    /// has no date and no numbers.
    package struct MassExtensionStatus: Encodable, Sendable {
        var requestIdentifier: String
        var complete: Bool
        /// In milliseconds since 1970.
        var completeDate: Int64?
        var succeededCount: Int?
        var failedCount: Int?
    }

    /// `SendTestNotificationResponse`.
    package struct TestNotification: Encodable, Sendable {
        var testNotificationToken: String
    }

    /// `sendAttemptItem`.
    package struct SendAttempt: Encodable, Sendable {
        /// In milliseconds since 1970.
        var attemptDate: Int64
        var sendAttemptResult: String
    }

    /// `CheckTestNotificationResponse`, and a record of the history.
    package struct SentNotification: Encodable, Sendable {
        var signedPayload: String
        /// The attempts at all addresses, oldest first.
        var sendAttempts: [SendAttempt]
        var firstSendAttemptResult: String?
    }

    /// `NotificationHistoryResponse`.
    package struct NotificationHistory: Encodable, Sendable {
        var notificationHistory: [SentNotification]
        var hasMore: Bool
        /// The place after which the next page begins; absent on the last one.
        var paginationToken: String?
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
