// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Empties a store in the sandbox, so that the next test begins with no
/// customer. The catalogue, the keys and the settings of the operator stay.
///
/// Work that is under way in this process or another one finds that its rows
/// are gone: each of its transactions is before the reset, whose deletion then
/// includes its rows, or after it, and is refused, because its account or its
/// device doesn't exist.
package struct ResettingStore: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The tables that keep their rows: the catalogue with hosted content, the
    /// sellers' keys, the signing authority, the operator's secrets and
    /// settings, and the nodes that serve the store.
    package static let kept: Set<String> = [
        "app", "catalogue_source", "product", "product_localization", "product_price", "product_exclusion",
        "subscription_group", "subscription_group_localization", "subscription_plan", "content_version",
        "content_upload", "content_secret", "in_app_purchase_key", "token_issuer", "serving_node",
        "signing_authority", "authority_certificate", "authority_leaf", "authority_revocation", "store_secret",
        "notification_address", "item", "item_artwork", "app_version", "promoted_product",
        "team", "team_user", "recovery_code", "team_session", "team_browser", "team_invitation", "team_link",
        "team_change",
        "team_product", "registration_image", "contract",
        "contract_acceptance", "team_payee", "former_product",
        "app_upload", "team_key",
    ]

    /// The tables that are emptied, each before those that its foreign keys
    /// name.
    private static let emptied = Schema.tables.reversed().filter { !kept.contains($0.name) }

    /// How often the deletion is begun again because another node has added a
    /// row to a table that was emptied already.
    private static let attempts = 50

    /// Deletes all rows of customers, devices, purchases and payments, in one
    /// transaction.
    ///
    /// - Throws: ``DomainError`` `invalid` in production; `DatabaseError`.
    package func callAsFunction() async throws {
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only a store in the sandbox can be emptied.")
        }
        faults("reset:before")
        for attempt in 1...Self.attempts {
            do {
                try await write(.key("reset")) { db in try Self.empty(db) }
                return faults("reset:after")
            } catch let error as DatabaseError
                where error.code == .constraintViolation && attempt < Self.attempts
            {
                continue
            }
        }
    }

    private static func empty(_ db: StoreTransaction) throws {
        for table in emptied {
            if table.key.contains("environment") {
                try db.run("DELETE FROM \(table.name) WHERE environment = $1", [db.environment.rawValue])
            } else {
                // The sandbox's payment provider serves no other environment.
                try db.run("DELETE FROM \(table.name)", [])
            }
        }
    }
}
