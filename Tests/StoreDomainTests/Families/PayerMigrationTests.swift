// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A database of a version whose subscriptions had no payer.
@Suite(.timeLimit(.hang))
struct PayerMigrationTests {
    @Test(
        "The payer of the newest purchase pays the renewals, and an app has the first contact of an account",
        arguments: Engine.stores)
    func old(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let clock = TestClock()
            let old = try await TestStore(database, clock: clock)
            let home = try await Household(in: old)
            try await old.sellBaskets()
            let child = Subscriber(store: old, account: home.carl, phone: home.phone)
            let anna = try await old.subscriber(5)
            try await anna.buy("weekly")
            try await old.service.approve(try await home.ask("weekly", request: "r1"))
            try await child.setRenewal(false)
            clock.advance(by: .seconds(8 * 86400))
            await old.service.renewSubscriptions()
            try await home.approve(try await home.ask("weekly", request: "r2"), by: home.olga)
            clock.advance(by: .seconds(8 * 86400))
            await old.service.renewSubscriptions()
            try await Self.undo(database, contactsOf: anna.account)

            let store = try await TestStore(database, clock: clock, seed: 8)

            let payers = try await database.read { connection in
                var payers: [AccountIdentifier: AccountIdentifier] = [:]
                for row in try connection.rows("SELECT account_id, payer_id FROM subscription") {
                    let account: AccountIdentifier = try row.get("account_id")
                    payers[account] = try row.get("payer_id")
                }
                return payers
            }
            #expect(
                payers == [
                    home.carl.identifier: home.olga.identifier, anna.account.identifier: anna.account.identifier,
                ])
            #expect(try await store.count("shared_contact") == 1)
            #expect(try await store.count("shared_contact", where: "name = 'first'") == 1)
            clock.advance(by: .seconds(7 * 86400))
            await store.service.renewSubscriptions()
            #expect(try await store.payers().last { $0 != anna.account.identifier } == home.olga.identifier)
        }
    }

    /// Takes the migration back, and adds two contacts of an account, as the
    /// version before could do.
    private static func undo(_ database: any Database, contactsOf account: Account) async throws {
        try await database.write { connection in
            _ = try connection.run("ALTER TABLE subscription DROP COLUMN payer_id")
            _ = try connection.run("DROP INDEX shared_contact_of_account")
            _ = try connection.run(
                "CREATE INDEX shared_contact_of_account ON shared_contact (environment, account_id, bundle_id, bucket)")
            for (number, name) in ["second", "first"].enumerated() {
                _ = try connection.run(
                    """
                    INSERT INTO shared_contact (environment, transaction_id, bucket, account_id, bundle_id, product_id,
                        name, email, postcode, shared_at)
                    VALUES ('Sandbox', $1, $2, $3, $4, 'weekly', $5, 'a@example.com', '1010', $6)
                    """,
                    [
                        "\(number)", account.identifier.bucket, account.identifier, TestStore.bundleIdentifier, name,
                        Int64(2 - number),
                    ])
            }
            _ = try connection.run("DELETE FROM schema_migration WHERE name = '091 payers'")
        }
    }
}
