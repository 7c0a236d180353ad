// SPDX-License-Identifier: Apache-2.0

// This file imports StoreKit and not Foundation, which StoreKit brings along:
// Foundation's own appStoreReceiptURL is always nil on Linux, and in a file
// that imports both the name would be ambiguous.
import StoreKit

/// Where the app's receipt lies.
enum Receipt {
    static var path: String? { Bundle.main.appStoreReceiptURL?.path }

    static var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? false }
}
