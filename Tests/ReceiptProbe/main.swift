// SPDX-License-Identifier: Apache-2.0

import Foundation

// An app that links StoreKit, in a file that doesn't import it.
// scripts/receipt-url reads its output.
print(Bundle.main.appStoreReceiptURL?.path ?? "nil")
