// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The app's receipt.
enum Receipt {
    static var path: String? { Bundle.main.appStoreReceiptURL?.path }

    static var exists: Bool { path.map { FileManager.default.fileExists(atPath: $0) } ?? false }

    /// The contents of the file; `nil` when there is none, or none that this
    /// app can read.
    static var contents: ReceiptContents? {
        path.flatMap { FileManager.default.contents(atPath: $0) }.flatMap(ReceiptContents.init)
    }
}
