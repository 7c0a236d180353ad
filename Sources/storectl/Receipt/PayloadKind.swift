// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// The kind of a JWS's payload.
enum PayloadKind: String, CaseIterable {
    case transaction
    case renewalInfo = "renewal-info"
    case appTransaction = "app-transaction"
    case notification

    /// Determines the kind by the fields that only one kind has.
    init(of members: [String: JSONValue]) {
        if members["notificationType"] != nil {
            self = .notification
        } else if members["receiptType"] != nil {
            self = .appTransaction
        } else if members["autoRenewStatus"] != nil {
            self = .renewalInfo
        } else {
            self = .transaction
        }
    }

    /// The type that represents the payload.
    var type: any SignedPayload.Type {
        switch self {
        case .transaction: TransactionPayload.self
        case .renewalInfo: RenewalInfoPayload.self
        case .appTransaction: AppTransactionPayload.self
        case .notification: NotificationPayload.self
        }
    }
}
