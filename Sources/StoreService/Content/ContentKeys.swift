// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization

/// The keys of hosted content, which are read from the database once.
final class ContentKeys: Sendable {
    private let keys = Mutex<OpeningContentKeys.Keys?>(nil)

    /// Returns the keys.
    ///
    /// - Throws: An error of the database.
    func callAsFunction(_ context: StoreContext) async throws -> OpeningContentKeys.Keys {
        if let known = keys.withLock({ $0 }) { return known }
        let read = try await OpeningContentKeys(context)()
        keys.withLock { $0 = read }
        return read
    }
}
