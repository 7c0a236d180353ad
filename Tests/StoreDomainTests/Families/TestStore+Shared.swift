// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport

extension TestStore {
    /// Sells an apple and a monthly club, which families share or not, and a
    /// pear.
    func sellShared(_ isShared: Bool = true) async throws {
        func club(_ name: String, _ price: String, _ level: Int) -> String {
            Self.subscription(name, price, "P1M", level, "CLUBS")
                .replacing("\"familyShareable\" : false", with: "\"familyShareable\" : \(isShared)")
        }
        let file = Self.catalogue.replacing(
            "\"familyShareable\" : false, \"internalID\" : \"1\"",
            with: "\"familyShareable\" : \(isShared), \"internalID\" : \"1\""
        ).replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [ { "id" : "CLUBS", "name" : "Clubs", "localizations" : [], "subscriptions" : [
                    \(club("club", "4.99", 2)), \(club("gold", "9.99", 1)) ] } ],
                "version" :
                """)
        try await sell(file)
    }

    /// Uses the app on a device, so that it receives purchases that no device
    /// has asked for.
    func use(_ device: TestDevice) async throws {
        _ = try await service.feed(
            EventSubscription(
                credentials: device.credentials, bundleIdentifier: Self.bundleIdentifier, position: nil))
    }

    /// The purchases of an account that aren't revoked, by date: `product` for
    /// its own, `product shared` for one of another member.
    func owned(by account: Account) async throws -> [String] {
        try await context.read { db in
            try db.rows(
                """
                SELECT product_id, shared_by FROM purchase
                WHERE account_id = $1 AND revoked_at IS NULL ORDER BY purchased_at, product_id, shared_by IS NOT NULL
                """, [account.identifier]
            ).map { row in
                let owner: AccountIdentifier? = try row.get("shared_by")
                let product: String = try row.get("product_id")
                return owner == nil ? product : "\(product) shared"
            }
        }
    }
}
