// SPDX-License-Identifier: Apache-2.0

/// The values of `unified_receipt` of a notification of version 1, as they were
/// after its cause, without the signed receipt.
struct UnifiedReceiptContents: Sendable {
    /// The newest transactions, newest first, with the notification's own one
    /// also when it is older or has left the receipt.
    var transactions: [LatestTransaction]
    var renewals: [RenewalInfo]
    /// The subscription of the notification's transaction; `nil` without one.
    var renewal: RenewalInfo?
    /// The purchases of a receipt of this moment, newest first.
    var entries: [ReceiptEntry]
    /// The account's time.
    var now: StoreTime
    /// The app as the account has got it on its page; `nil` for another one.
    var app: ServedApp?
    /// The app's number in the store. The version on the device isn't known.
    var numbers = AppNumbers()

    /// The most transactions, as Apple documents.
    static let most = 100

    /// The purchases that were made until the notification's cause, with the
    /// refunds of that moment.
    static func purchases(
        _ listed: [Purchase], with own: Purchase, of notification: StoreNotification
    ) -> [Purchase] {
        let others = listed.filter {
            $0.transactionIdentifier != own.transactionIdentifier && $0.date <= notification.at
        }
        .map { other in
            var other = other
            if let revoked = other.revoked, revoked > notification.at { other.revoked = nil }
            return other
        }
        return (others.prefix(most - 1) + [own]).sorted {
            ($0.date, $0.transactionIdentifier) > ($1.date, $1.transactionIdentifier)
        }
    }
}
