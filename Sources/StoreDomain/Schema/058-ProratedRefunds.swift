// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Refunds of a part of a price, which revoke the purchase too.
    static let proratedRefunds = Migration(
        "058 prorated refunds",
        [
            // The refunded part of a revoked purchase's price, in thousandths of
            // a percent; NULL for the whole price.
            "ALTER TABLE purchase ADD COLUMN revoked_part BIGINT"
        ])
}
