// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The path of the app's receipt, and whether the file exists.
enum Receipt {
    static var path: String? { Bundle.main.appStoreReceiptURL?.path }

    static var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? false }
}
