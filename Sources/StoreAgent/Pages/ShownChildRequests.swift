// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore

/// The children's requests that this device has shown to a parent, in a file that all of its apps share: each of them gets the
/// event of each request.
struct ShownChildRequests: Sendable {
    private let file: URL
    private let lock: URL
    private let files: any FileSystem

    /// The most requests that are kept, the newest. The store doesn't tell a device of older ones again.
    static let limit = 100

    init(home: URL, files: any FileSystem) {
        file = home.appendingPathComponent("child-requests.json")
        lock = home.appendingPathComponent("child-requests.lock")
        self.files = files
    }

    /// Records a request as shown.
    ///
    /// - Returns: `false` for one that was recorded before.
    /// - Throws: ``AgentError`` with the code `home`.
    func record(_ transaction: String) throws -> Bool {
        try files.withLock(lock) {
            let stored = try files.contents(of: file).flatMap { try? StoreCoding.decode([String].self, from: $0) }
            let shown = stored ?? []
            guard !shown.contains(transaction) else { return false }
            try files.replace(file, temporary: ".child-requests.json") { _ in
                try StoreCoding.encode(Array((shown + [transaction]).suffix(Self.limit)))
            }
            return true
        }
    }
}
