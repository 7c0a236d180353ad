// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The rows that are deleted with an account, and those that the books keep, by
/// the table of `docs/retention.md`.
struct DeletedAccountTests {
    /// The texts of all rows of the store, with their tables.
    private func texts(_ store: TestStore) async throws -> [(table: String, text: String)] {
        try await store.context.database.read { connection in
            try Schema.tables.flatMap { table in
                try connection.rows("SELECT * FROM \(table.name)").flatMap { row in
                    row.columns.compactMap { column in
                        (try? row.get(column) as String?).flatMap { $0 }.map { (table.name, $0) }
                    }
                }
            }
        }
    }

    @Test("No row has the address or the name of a deleted account", arguments: Engine.stores)
    func personalData(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await AddingAccount(store.context)(
                email: "anna@example.com", password: TestStore.password, storefront: "DEU", name: "Anna Bauer",
                locale: "de_AT")
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "apple", as: anna)
            _ = try await store.service.openSheetSession(for: anna, browser: "Firefox of Anna Bauer")
            for sheet in [nil, try phone.token(try await phone.ask("pear", request: "pear").sheet)] {
                await #expect(throws: SigningIn.wrong) {
                    try await store.service.signIn(email: anna.email, password: "guess", onSheet: sheet)
                }
            }
            let before = try await texts(store)
            #expect(before.contains { $0.text.contains("anna@") } && before.contains { $0.text.contains("Bauer") })

            try await ClosingAccount(store.context)(email: anna.email)

            for (table, text) in try await texts(store) {
                #expect(!text.contains("anna@") && !text.contains("Bauer"), "\(table) has \(text)")
            }
        }
    }

    @Test("A deleted account has no session, no device, no use of an app and no value", arguments: Engine.stores)
    func deleted(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "apple", as: anna)
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let device = DeviceIdentifier(phone.credentials.identifier)
            try await RecordingDeviceUse(store.context)(
                DeviceApp(account: anna.identifier, bundleIdentifier: app, device: device))
            _ = try await SynchronizingKeyValues(store.context)(
                [.init(KeyValue(key: "level", value: "MQ=="), sequence: 1)], known: nil, of: app, on: device,
                limits: .init(keys: 10, keyBytes: 64, valueBytes: 64))
            var answer = SandboxAnswer()
            answer.kind = .decline
            try await SettingSandboxAnswer(store.context)(answer, email: anna.email)
            _ = try await store.service.openSheetSession(for: anna)

            try await ClosingAccount(store.context)(email: anna.email)

            for table in ["sheet_session", "device_app", "key_value", "sandbox_answer", "account_email"] {
                #expect(try await store.count(table) == 0, "\(table)")
            }
            #expect(try await store.count("device", where: "account_id IS NOT NULL") == 0)
            #expect(try await store.count("account", where: "password_hash = '' AND name IS NULL") == 1)
        }
    }

    @Test("The books of a deleted account stay, and its charge can be given back", arguments: Engine.stores)
    func books(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "apple", as: anna)

            try await ClosingAccount(store.context)(email: anna.email)

            for table in ["account", "purchase", "payment", "ledger_entry", "reservation"] {
                #expect(try await store.count(table) == 1, "\(table)")
            }
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))
            #expect(try await store.ledger() == [990, -990])
            let again = try await store.addAccount()
            #expect(again.identifier != anna.identifier)
            #expect(
                try await ListingPurchases(store.context)(
                    of: again.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier)
                ).purchases.isEmpty)
        }
    }
}
