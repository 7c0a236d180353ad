// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The receipt's address, in a file that doesn't import StoreKit.
func receiptURLByFoundationAlone() -> URL? {
    Bundle.main.appStoreReceiptURL
}
