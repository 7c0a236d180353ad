// SPDX-License-Identifier: Apache-2.0

/// The properties of a table that ``CopyingStore`` needs.
struct StoreTable: Sendable {
    var name: String
    /// A unique key, by which the rows are ordered.
    var key: [String]
    /// Columns whose sums must be the same in a copy.
    var sums: [String]
    /// The most rows that are read at a time.
    var batch = 500
}

extension Schema {
    /// All tables of a store, each after the tables that its foreign keys
    /// name.
    static let tables: [StoreTable] = [
        StoreTable(name: "team", key: ["team_id"], sums: ["change_number", "created_at"]),
        StoreTable(name: "team_user", key: ["user_id"], sums: ["password_number", "code_step"]),
        StoreTable(name: "recovery_code", key: ["user_id", "code_hash"], sums: []),
        StoreTable(name: "team_session", key: ["token_hash"], sums: ["expires_at"]),
        StoreTable(name: "team_browser", key: ["user_id", "token_hash"], sums: ["signed_in_at"]),
        StoreTable(name: "team_invitation", key: ["team_id", "email"], sums: ["expires_at"]),
        StoreTable(name: "team_link", key: ["token_hash"], sums: ["expires_at"]),
        StoreTable(name: "team_change", key: ["team_id", "change_number"], sums: ["change_number", "at"]),
        StoreTable(name: "contract", key: ["contract_number"], sums: ["published_at", "due_at"], batch: 10),
        StoreTable(
            name: "contract_acceptance", key: ["team_id", "contract_number"], sums: ["contract_number", "accepted_at"]),
        StoreTable(name: "team_payee", key: ["team_id"], sums: ["form_number"]),
        StoreTable(name: "team_key", key: ["key_id"], sums: ["created_at"]),
        StoreTable(name: "app", key: ["bundle_id"], sums: ["grace_period_days"]),
        StoreTable(
            name: "app_version", key: ["bundle_id", "version"], sums: ["external_identifier", "added_at"]),
        StoreTable(name: "team_product", key: ["team_id", "product_id"], sums: []),
        // A row contains a whole file.
        StoreTable(name: "app_upload", key: ["bundle_id", "user_id", "kind"], sums: ["uploaded_at"], batch: 1),
        // A row contains a whole file.
        StoreTable(name: "catalogue_source", key: ["bundle_id"], sums: ["imported_at"], batch: 1),
        StoreTable(name: "product", key: ["bundle_id", "product_id"], sums: ["milliunits", "edit_number", "bytes"]),
        StoreTable(name: "product_localization", key: ["bundle_id", "product_id", "locale"], sums: []),
        StoreTable(name: "product_price", key: ["bundle_id", "product_id", "storefront"], sums: ["milliunits"]),
        StoreTable(name: "product_exclusion", key: ["bundle_id", "product_id", "storefront"], sums: []),
        StoreTable(
            name: "former_product", key: ["bundle_id", "product_id", "edit_number"], sums: ["replaced_at"], batch: 100),
        StoreTable(name: "item", key: ["item_id"], sums: ["item_id"]),
        // A row contains an image.
        StoreTable(name: "item_artwork", key: ["item_id", "place"], sums: ["item_id"], batch: 5),
        StoreTable(
            name: "registration_image", key: ["bundle_id", "product_id", "purpose"], sums: ["size", "added_at"],
            batch: 5),
        StoreTable(name: "promoted_product", key: ["bundle_id", "place"], sums: ["place"]),
        StoreTable(name: "product_sales", key: ["environment", "bundle_id", "product_id"], sums: ["sales"]),
        StoreTable(name: "uncounted_sale", key: ["environment", "entry_id", "change"], sums: ["change"]),
        StoreTable(name: "campaign", key: ["environment", "campaign_id"], sums: ["purchases", "milliunits"]),
        StoreTable(name: "subscription_group", key: ["bundle_id", "group_id"], sums: ["bytes", "edit_number"]),
        StoreTable(name: "subscription_group_localization", key: ["bundle_id", "group_id", "locale"], sums: []),
        StoreTable(name: "subscription_plan", key: ["bundle_id", "product_id"], sums: ["level"]),
        StoreTable(
            name: "price_change", key: ["environment", "change_id"], sums: ["milliunits", "starts_at"]),
        StoreTable(name: "content_version", key: ["content_id"], sums: ["object_bytes", "file_bytes", "published_at"]),
        StoreTable(name: "content_upload", key: ["upload_id"], sums: ["object_bytes", "received"]),
        StoreTable(name: "content_secret", key: ["secret_id"], sums: []),
        StoreTable(
            name: "account", key: ["environment", "account_id", "bucket"], sums: ["event_number", "created_at"]),
        StoreTable(
            name: "payment_method", key: ["environment", "account_id", "method_id", "bucket"],
            sums: ["bucket", "added_at"]),
        StoreTable(name: "family_member", key: ["environment", "account_id"], sums: ["account_bucket", "joined_at"]),
        StoreTable(
            name: "family_sharing", key: ["environment", "account_id", "bucket"], sums: ["bucket", "revision", "done"]),
        StoreTable(name: "sharing_change", key: ["environment", "bundle_id", "product_id"], sums: ["revision"]),
        StoreTable(
            name: "parent_notice", key: ["environment", "account_id", "transaction_id", "bucket"], sums: ["bucket"]),
        StoreTable(name: "account_email", key: ["environment", "email"], sums: ["account_bucket"]),
        StoreTable(name: "mail_order", key: ["environment", "order_id"], sums: ["created_at"]),
        StoreTable(name: "one_time_link", key: ["environment", "token_hash"], sums: ["expires_at"]),
        StoreTable(name: "sign_in_throttle", key: ["environment", "kind", "subject"], sums: ["failures"]),
        StoreTable(name: "device", key: ["environment", "device_id"], sums: ["created_at", "news_number"]),
        StoreTable(name: "device_news", key: ["environment", "device_id", "news_number"], sums: ["created_at"]),
        StoreTable(
            name: "app_transaction", key: ["environment", "account_id", "bundle_id", "bucket"],
            sums: ["bucket", "created_at"]),
        StoreTable(
            name: "device_app", key: ["environment", "account_id", "bundle_id", "device_id", "bucket"],
            sums: ["bucket", "first_seen_at", "last_seen_at"]),
        StoreTable(name: "sheet_session", key: ["environment", "token_hash"], sums: ["expires_at"]),
        StoreTable(
            name: "request", key: ["environment", "device_id", "request_id"], sums: ["quantity", "created_at"]),
        StoreTable(name: "sheet", key: ["environment", "token"], sums: ["expires_at"]),
        StoreTable(
            name: "payment", key: ["environment", "payment_number", "bucket"],
            sums: ["bucket", "milliunits", "returned_milliunits"]),
        StoreTable(
            name: "refund", key: ["environment", "refund_id", "bucket"], sums: ["bucket", "milliunits", "created_at"]),
        StoreTable(
            name: "refund_request", key: ["environment", "refund_id", "bucket"], sums: ["bucket", "created_at"]),
        StoreTable(
            name: "reservation", key: ["environment", "account_id", "bundle_id", "product_id", "bucket"],
            sums: ["bucket"]),
        StoreTable(
            name: "purchase", key: ["environment", "transaction_id", "bucket"],
            sums: ["bucket", "quantity", "milliunits", "purchased_at", "is_in_receipt"]),
        StoreTable(
            name: "item_purchase", key: ["environment", "transaction_id", "bucket"], sums: ["bucket", "item_id"]),
        StoreTable(
            name: "campaign_purchase", key: ["environment", "transaction_id", "bucket"],
            sums: ["bucket", "milliunits", "is_counted"]),
        StoreTable(
            name: "shared_contact", key: ["environment", "transaction_id", "bucket"], sums: ["bucket", "shared_at"]),
        StoreTable(
            name: "offer_use", key: ["environment", "transaction_id", "kind", "offer_id", "bucket"],
            sums: ["bucket", "used_at"]),
        StoreTable(
            name: "offer_code_batch", key: ["environment", "batch_id"],
            sums: ["size", "made", "redeemed", "created_at"]),
        StoreTable(name: "offer_code_seed", key: ["environment", "batch_id"], sums: ["created_at"]),
        StoreTable(name: "offer_code", key: ["environment", "hash"], sums: ["number", "uses", "uses_limit"]),
        StoreTable(
            name: "code_redemption", key: ["environment", "payment_number", "bucket"],
            sums: ["bucket", "redeemed_at"]),
        StoreTable(name: "in_app_purchase_key", key: ["bundle_id", "key_id"], sums: ["created_at"]),
        StoreTable(name: "token_issuer", key: ["place"], sums: []),
        StoreTable(
            name: "account_token", key: ["environment", "original_transaction_id", "bucket", "since"],
            sums: ["bucket", "since", "set_at"]),
        StoreTable(
            name: "mass_extension", key: ["environment", "bundle_id", "product_id", "request_id"],
            sums: ["days", "succeeded", "failed", "created_at"]),
        StoreTable(name: "notification_address", key: ["environment", "bundle_id", "url"], sums: ["added_at"]),
        StoreTable(
            name: "sandbox_problem", key: ["environment", "bundle_id", "problem_id"], sums: ["at"]),
        // A row may contain a signed payload with its certificates.
        StoreTable(
            name: "notification", key: ["environment", "notification_id"],
            sums: ["place", "state_number", "created_at"],
            batch: 50),
        StoreTable(
            name: "notification_delivery", key: ["environment", "notification_id", "url"], sums: ["created_at"]),
        StoreTable(name: "notification_turn", key: ["environment", "chain", "url"], sums: []),
        StoreTable(
            name: "notification_mode", key: ["environment", "account_id"], sums: ["delay", "failures", "used"]),
        StoreTable(
            name: "offer_nonce", key: ["environment", "bundle_id", "key_id", "nonce"], sums: ["used_at"]),
        StoreTable(
            name: "subscription", key: ["environment", "original_transaction_id", "bucket"],
            sums: ["bucket", "event_count", "period_number"]),
        StoreTable(
            name: "subscription_event", key: ["environment", "original_transaction_id", "number", "bucket"],
            sums: ["bucket", "at"]),
        StoreTable(
            name: "ledger_entry", key: ["environment", "entry_id", "bucket"], sums: ["bucket", "milliunits", "at"]),
        StoreTable(
            name: "queue_entry", key: ["environment", "device_id", "transaction_id", "bucket"],
            sums: ["bucket", "event_number"]),
        StoreTable(
            name: "event", key: ["environment", "account_id", "event_number", "bucket"],
            sums: ["bucket", "event_number"]),
        StoreTable(
            name: "restored_transaction", key: ["environment", "device_id", "request_id", "place"],
            sums: ["restored_at"]),
        StoreTable(
            name: "key_value", key: ["environment", "account_id", "bundle_id", "key_name", "bucket"],
            sums: ["bucket", "value_bytes", "event_number"]),
        StoreTable(name: "key_value_writer", key: ["environment", "device_id", "bundle_id"], sums: ["sequence"]),
        StoreTable(
            name: "key_value_pruned", key: ["environment", "account_id", "bundle_id", "bucket"], sums: ["event_number"]),
        StoreTable(name: "serving_node", key: ["environment", "node_id"], sums: []),
        StoreTable(name: "signing_authority", key: ["authority_id"], sums: ["revision"]),
        StoreTable(name: "authority_certificate", key: ["name"], sums: []),
        StoreTable(name: "authority_leaf", key: ["serial_number"], sums: ["place", "is_retired"]),
        StoreTable(name: "authority_revocation", key: ["serial_number"], sums: ["revoked_at"]),
        StoreTable(name: "store_secret", key: ["environment", "name"], sums: []),
        StoreTable(name: "provider_event", key: ["environment", "event_id"], sums: ["received_at"]),
        StoreTable(name: "sandbox_payment", key: ["payment_number"], sums: ["milliunits", "refunded_milliunits"]),
        StoreTable(name: "sandbox_refund", key: ["refund_id"], sums: ["milliunits"]),
        StoreTable(name: "sandbox_answer", key: ["account_id"], sums: ["lifetime", "delay"]),
        StoreTable(name: "sandbox_event", key: ["event_id", "sending"], sums: ["due_at"]),
    ]
}
