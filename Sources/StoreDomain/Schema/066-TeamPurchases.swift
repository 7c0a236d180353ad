// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The search of purchases by account token: the user name of a payment,
    /// and the token that a seller's server has set.
    static let teamPurchases = Migration(
        "066 team purchases",
        [
            """
            CREATE INDEX purchase_of_user ON purchase (environment, username, purchased_at, transaction_id)
            WHERE username IS NOT NULL
            """,
            "CREATE INDEX account_token_value ON account_token (environment, token, original_transaction_id)",
        ])
}
