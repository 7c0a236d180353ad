// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the app's receipt lies.
enum Receipt {
    static var path: String? { Bundle.main.appStoreReceiptURL?.path }

    static var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? false }
}
