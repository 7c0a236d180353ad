// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// How often the codes of a batch were redeemed, together.
    static let redeemedCodes = Migration(
        "089 redeemed codes",
        [
            "ALTER TABLE offer_code_batch ADD COLUMN redeemed BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE offer_code_batch SET redeemed = COALESCE((
                SELECT SUM(code.uses) FROM offer_code AS code
                WHERE code.environment = offer_code_batch.environment AND code.batch_id = offer_code_batch.batch_id
                    AND code.uses > 0), 0)
            """,
        ])
}
