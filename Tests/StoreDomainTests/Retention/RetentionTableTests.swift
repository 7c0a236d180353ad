// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDomain

/// How long the rows of each table are kept. A new table has to be added to a
/// list here, or to `OldRows.all`.
struct RetentionTableTests {
    /// The tables whose rows are never deleted, besides those of
    /// ``AgingStore/books``.
    private static let neverDeleted: Set = [
        "subscription", "subscription_event", "offer_use", "offer_code_batch", "offer_code", "code_redemption",
        "refund_request", "account_token", "mass_extension", "item_purchase",
        "campaign_purchase", "campaign",
    ]

    /// The tables whose rows are deleted with others or for another reason
    /// than their age.
    private static let deletedOtherwise = [
        "account_email": "when its account is closed", "shared_contact": "when its account is closed",
        "queue_entry": "when the transaction is finished, and with a lost device",
        "device_app": "with its device", "key_value_writer": "with its device",
        "parent_notice": "when the parent is notified",
        "uncounted_sale": "when it is counted",
        "sharing_change": "when the accounts that have the product are recorded",
        "notification_turn": "when the attempt has ended",
        "sandbox_event": "when it was sent", "content_upload": "when it is published or abandoned",
    ]

    /// The tables that don't grow with customers and time.
    private static let bounded: Set = [
        // The sellers' catalogue, and its hosted content.
        "app", "catalogue_source", "product", "product_localization", "product_price", "product_exclusion",
        "subscription_group", "subscription_group_localization", "subscription_plan", "content_version",
        "in_app_purchase_key", "token_issuer", "price_change", "item", "item_artwork",
        "promoted_product", "product_sales",
        // At most 500 of an app.
        "app_version",
        // The users of Connect, at most two hundred of a team, and its keys, at most a hundred.
        "team", "team_user", "recovery_code", "team_key",
        // At most twenty of a user.
        "team_browser",
        // The identifiers that were given, which are never free again.
        "team_product",
        // At most three images of a product or app.
        "registration_image",
        // One row of a version that the operator publishes, and of a team.
        "contract", "contract_acceptance", "team_payee",
        // The operator's keys, and the store's authority.
        "notification_address", "content_secret", "store_secret", "signing_authority", "authority_certificate",
        "authority_leaf",
        "authority_revocation",
        // One row for each account, or for each of its apps.
        "app_transaction", "key_value_pruned", "sandbox_answer", "notification_mode", "family_member", "family_sharing",
        // At most ten of an account.
        "payment_method",
    ]

    private static let deletedForAge = Set(OldRows.all(Retention()).map(\.table))
    /// Without the table of events, of which only those of refunds are kept.
    private static let books = Set(AgingStore.books.filter { $0.value == "1 = 1" }.keys)

    @Test("The rows of a table are never deleted, are deleted, or don't grow", arguments: Schema.tables.map(\.name))
    func choice(table: String) {
        let lists = [
            Self.books, Self.neverDeleted, Self.deletedForAge, Set(Self.deletedOtherwise.keys), Self.bounded,
        ]
        #expect(lists.filter { $0.contains(table) }.count == 1, "\(table) has to be in one of the lists of this test")
    }

    @Test("The lists have no other table")
    func names() {
        let listed = Self.neverDeleted.union(Self.deletedOtherwise.keys).union(Self.bounded)
        #expect(listed.subtracting(Schema.tables.map(\.name)).isEmpty)
    }
}
