// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Delivery {
    /// Deletes revocations that the app has received.
    ///
    /// The handler of a subscriber may only pass an update on to another
    /// queue. Until the app has received it, the journal keeps it for the next
    /// launch.
    func acknowledge(_ revoked: [RevokedProduct]) {
        queue.async { [self] in
            do {
                try journal.forget(revoked)
            } catch {
                guard !isClosed else { return }
                retry(after: error) { [self] in acknowledge(revoked) }
            }
        }
    }
}
