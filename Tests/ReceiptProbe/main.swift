// SPDX-License-Identifier: Apache-2.0

import Foundation

// An app that links StoreKit, in a file that knows nothing of it:
// scripts/receipt-url reads what it prints.
print(Bundle.main.appStoreReceiptURL?.path ?? "nil")
