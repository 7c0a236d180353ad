// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreDomain

/// Apple's status codes ("Validating receipts with the App Store"); 21001 is
/// one that Apple no longer sends.
struct VerifyReceiptStatus: RawRepresentable, Hashable {
    var rawValue: Int

    static let valid = VerifyReceiptStatus(rawValue: 0)
    /// The request isn't a POST.
    static let notPost = VerifyReceiptStatus(rawValue: 21000)
    /// `receipt-data` is missing or no receipt.
    static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// The receipt isn't signed by this store.
    static let notAuthentic = VerifyReceiptStatus(rawValue: 21003)
    /// `password` isn't the app's shared secret.
    static let wrongSecret = VerifyReceiptStatus(rawValue: 21004)
    /// The store can't answer now.
    static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// The receipt is of the old format, and its subscription has ended.
    static let expired = VerifyReceiptStatus(rawValue: 21006)
    /// The receipt is the sandbox's, and this is production.
    static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
    /// The receipt is production's, and this is the sandbox.
    static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
    /// What the store verifies with can't be read.
    static let internalAccess = VerifyReceiptStatus(rawValue: 21009)
    /// The account doesn't exist any more.
    static let accountGone = VerifyReceiptStatus(rawValue: 21010)
    /// What the store knows is locked by others; trying again helps.
    static let dataAccess = VerifyReceiptStatus(rawValue: 21100)
    /// What the store knows can't be read, and trying again doesn't help.
    static let dataAccessForGood = VerifyReceiptStatus(rawValue: 21199)

    /// `is_retryable`, which answers have in the range 21100 to 21199.
    var isRetryable: Bool? {
        switch self {
        case .dataAccess: true
        case .dataAccessForGood: false
        default: nil
        }
    }

    /// What is answered when something fails here.
    init(failure error: any Error) {
        if StoreContext.isContention(error) {
            self = .dataAccess
        } else if StoreContext.outage(error) != nil {
            self = .unavailable
        } else if error is AppReceiptError {
            self = .internalAccess
        } else {
            self = .dataAccessForGood
        }
    }

    init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
