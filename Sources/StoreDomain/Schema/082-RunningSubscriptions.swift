// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Payments for a subscription that the customer has, which fail in StoreKit 1.
    static let runningSubscriptions = Migration(
        "082 running subscriptions",
        [
            "ALTER TABLE request ADD COLUMN accepts_running BIGINT NOT NULL DEFAULT 0",
            // The code of Apple's `ASDServerErrorDomain` below a failure.
            "ALTER TABLE request ADD COLUMN failure_server_code BIGINT",
        ])
}
