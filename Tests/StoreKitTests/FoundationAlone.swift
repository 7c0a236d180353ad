// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a file gets that doesn't know of StoreKit.
func receiptURLByFoundationAlone() -> URL? {
    Bundle.main.appStoreReceiptURL
}
