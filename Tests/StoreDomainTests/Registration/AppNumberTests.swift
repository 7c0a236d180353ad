// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The numbers of apps and of their versions, and the receipts with them.
struct AppNumberTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private static func registered(_ store: TestStore, _ bundle: String, by user: TeamUser) async throws
        -> AppRegistration
    {
        try await store.service.registeringApp()(
            AppRegistration.Values(
                bundleIdentifier: bundle, name: "Basket", sku: bundle, primaryLocale: "en_US"), by: user)
    }

    @Test("An app gets its number when it is registered, and its item has the same", arguments: Engine.stores)
    func drawn(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let (bundle, text) = (BundleIdentifier("com.example.basket"), "com.example.basket")
            let made = try await Self.registered(store, text, by: holder)
            let number = try #require(made.appleIdentifier)
            // The same again, as after a lost answer.
            #expect(try await Self.registered(store, text, by: holder) == made)
            await #expect(throws: DomainError(.exists, "")) { try await store.addItem(7, app: bundle) }
            await #expect(throws: DomainError(.exists, "")) { try await store.addItem(number) }
            try await store.addItem(number, app: bundle, version: "1.0")
            let page = try await store.service.storePageReader(of: bundle, as: holder)
            #expect(page.item?.identifier == number && page.released?.version == "1.0")
            try await store.addItem(number, app: bundle, version: "2.0")
            let versions = try await store.service.versionReader.page(of: bundle, as: holder).entries
            #expect(versions.map(\.version) == ["2.0", "1.0"] && versions.map(\.state) == [.ready, .replaced])
        }
    }

    @Test("An app whose item the operator has added has the number of the item")
    func ofTheItem() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
            try await store.addItem(1001, app: Self.app)
            #expect(try await store.service.appReader.app(Self.app, as: holder).appleIdentifier == 1001)
            try await store.addItem(1002, app: "com.example.basket")
            await #expect(throws: InvalidFields(problems: [FieldProblem(field: "bundle", kind: .taken)])) {
                _ = try await Self.registered(store, "com.example.basket", by: seller)
            }
            #expect(try await Self.registered(store, "com.example.basket", by: holder).appleIdentifier == 1002)
        }
    }

    @Test("The item of a team's app is the team's, and needs its contract")
    func team() async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            _ = try await store.setUpTeam()
            let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
            let made = try await Self.registered(store, "com.example.flower", by: seller)
            let number = try #require(made.appleIdentifier)
            try await store.addItem(number, app: made.bundleIdentifier)
            #expect(try await store.service.item(number).team == seller.team)
            let anna = try await store.addAccount("anna@example.com")
            guard case .refused = try await OrderingItem(store.context)(number, for: anna) else {
                Issue.record("the app is sold without a contract")
                return
            }
        }
    }

    @Test("An app has at most as many versions as the limit")
    func limit() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.context.database.write { connection in
                for number in 1...AppVersion.most {
                    try connection.run(
                        """
                        INSERT INTO app_version (
                            bundle_id, version, version_number, external_identifier, state, added_at
                        )
                        VALUES ($1, $2, $3, $3, 'replaced', 0)
                        """, [Self.app, "0.\(number)", number])
                }
            }
            await #expect(throws: DomainError(.invalid, "")) {
                try await store.service.registeringVersion().add("1.0", to: Self.app, by: holder)
            }
        }
    }

    @Test("Receipts of production have the numbers of the app and its version", arguments: Engine.stores)
    func receipts(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let holder = try await store.setUpTeam()
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let before = try await Self.receipt(phone)
            #expect(before.appIdentifier == nil && before.versionExternalIdentifier == nil)
            #expect(try await Self.oldReceipt(phone, apple.transactionIdentifier).appItemIdentifier == "0")

            // The version that the device reports.
            let version = try await store.service.registeringVersion().add("1.0", to: Self.app, by: holder)
            let number = try #require(try await store.service.appReader.app(Self.app, as: holder).appleIdentifier)
            let after = try await Self.receipt(phone)
            #expect(after.appIdentifier == number && after.versionExternalIdentifier == version.externalIdentifier)
            let receipt = try await Self.oldReceipt(phone, apple.transactionIdentifier)
            #expect(receipt.appItemIdentifier == String(number))
            #expect(receipt.unknownEntries["version-external-identifier"] == String(version.externalIdentifier))

            let call = SignedTransactionsCall(bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0")
            let signed = try #require(try await phone.call(call).app)
            let verdict = try store.service.authority.jwsVerifier.verify(
                signed, as: AppTransactionPayload.self, expecting: .init(bundleIdentifier: TestStore.bundleIdentifier))
            guard case .verified(let jws) = verdict else {
                Issue.record("the app transaction is refused")
                return
            }
            let payload = jws.payload
            #expect(payload.appAppleId == number && payload.versionExternalIdentifier == version.externalIdentifier)
            let history = try await store.service.transactionHistory(
                TransactionIdentifier(apple.transactionIdentifier), of: Self.app, PurchaseFilter(), .ascending,
                after: nil)
            let answer = String(decoding: try JSONEncoder().encode(history), as: UTF8.self)
            #expect(answer.contains("\"appAppleId\":\(number)"))
        }
    }

    @Test("Receipts of the sandbox have no numbers")
    func sandbox() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.service.registeringVersion().add("1.0", to: Self.app, by: holder)
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            let receipt = try await Self.receipt(phone)
            #expect(receipt.appIdentifier == nil && receipt.versionExternalIdentifier == nil)
        }
    }

    private static func receipt(_ phone: TestDevice) async throws -> AppReceipt {
        let text = try #require(try await phone.receiptAnswer().receipt)
        return try UnverifiedAppReceipt(parsing: try #require(Data(base64Encoded: text))).contents
    }

    /// The receipt of a single transaction.
    private static func oldReceipt(_ phone: TestDevice, _ transaction: String) async throws -> TransactionReceipt {
        let answer = try await phone.call(
            TransactionReceiptsCall(
                bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: [transaction]))
        let text = try #require(answer.receipts[transaction])
        return try UnverifiedTransactionReceipt(parsing: try #require(Data(base64Encoded: text))).contents
    }
}
