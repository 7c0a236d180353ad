// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The operator's review in Connect.
extension StoreService {
    /// The use cases that read the queue.
    package var reviewReader: ReviewingProducts { ReviewingProducts(context) }

    /// The use cases that decide.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func reviewingProducts() throws -> ReviewingProducts {
        try requireCurrentSchema()
        return ReviewingProducts(context)
    }
}
