// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The indexes by which the work of an app, and the waiting rows of a team or an account, are found without those of the
    /// others.
    static let sellerShares = Migration(
        "090 seller shares",
        [
            "CREATE INDEX subscription_of_app ON subscription (environment, bundle_id, original_transaction_id)",
            """
            CREATE INDEX mass_extension_of_app ON mass_extension (environment, bundle_id, product_id)
            WHERE completed_at IS NULL
            """,
            """
            CREATE INDEX request_undecided_of_account ON request (environment, account_id, transaction_id)
            WHERE status IN ('deferred', 'interrupted')
            """,
            "CREATE INDEX mail_order_of_team ON mail_order (environment, team_id) WHERE team_id IS NOT NULL",
            "CREATE INDEX registration_image_of_app ON registration_image (bundle_id, size)",
            "CREATE INDEX content_version_size ON content_version (bundle_id, object_bytes)",
            "CREATE INDEX content_upload_size ON content_upload (bundle_id, object_bytes)",
            "CREATE INDEX app_upload_waiting ON app_upload (bundle_id, uploaded_at) WHERE applied IS NULL",
        ])
}
