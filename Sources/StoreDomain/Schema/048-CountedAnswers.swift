// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Answers of the sandbox's payment provider that are given a number of
    /// times, and the reasons of its refusals.
    static let countedAnswers = Migration(
        "048 counted answers",
        [
            // The number of payments that are still answered so; NULL without
            // an end.
            "ALTER TABLE sandbox_answer ADD COLUMN times BIGINT",
            "ALTER TABLE sandbox_answer ADD COLUMN reason TEXT",
            // Why a payment was declined; NULL for the provider's own sentence.
            "ALTER TABLE sandbox_payment ADD COLUMN reason TEXT",
        ])
}
