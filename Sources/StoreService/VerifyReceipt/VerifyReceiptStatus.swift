// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreDomain

/// Apple's status codes ("Validating receipts with the App Store"), without
/// 21001, which Apple no longer sends.
package struct VerifyReceiptStatus: RawRepresentable, Hashable {
    package var rawValue: Int

    package static let valid = VerifyReceiptStatus(rawValue: 0)
    /// The request isn't a POST.
    package static let notPost = VerifyReceiptStatus(rawValue: 21000)
    /// `receipt-data` is missing or isn't a receipt.
    package static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// The receipt isn't signed by this store.
    package static let notAuthentic = VerifyReceiptStatus(rawValue: 21003)
    /// `password` isn't the app's shared secret.
    package static let wrongSecret = VerifyReceiptStatus(rawValue: 21004)
    /// The store can't answer now.
    package static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// The subscription of a transaction receipt has ended.
    package static let expired = VerifyReceiptStatus(rawValue: 21006)
    /// The receipt is the sandbox's, and this is production.
    package static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
    /// The receipt is production's, and this is the sandbox.
    package static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
    /// The certificates to verify with can't be read now; repeating the
    /// request helps when the operator has acted.
    package static let internalAccess = VerifyReceiptStatus(rawValue: 21009)
    /// The account was closed.
    package static let accountGone = VerifyReceiptStatus(rawValue: 21010)
    /// The database is locked; repeating the request helps.
    package static let dataAccess = VerifyReceiptStatus(rawValue: 21100)
    /// The store failed, and repeating the request doesn't help.
    package static let dataAccessForGood = VerifyReceiptStatus(rawValue: 21199)

    /// `is_retryable`, which Apple sends with the statuses 21010 and 21100 to 21199.
    package var isRetryable: Bool? {
        switch self {
        case .dataAccess: true
        case .dataAccessForGood, .accountGone: false
        default: nil
        }
    }

    /// The status for an error of the store.
    package init(failure error: any Error) {
        if StoreContext.isContention(error) {
            self = .dataAccess
        } else if StoreContext.outage(error) != nil {
            self = .unavailable
        } else if error is AppReceiptError || (error as? DomainError)?.code == .authority {
            self = .internalAccess
        } else {
            self = .dataAccessForGood
        }
    }

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
