// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The contents of receipts over time ("Persisting Using the App Receipt").
struct ReceiptTests {
    @Test("A consumable is in the receipt until it is finished; a non-consumable stays", arguments: Engine.stores)
    func contents(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let juice = try await phone.buy("juice", request: "2", quantity: 2, as: anna)

            let before = try await phone.receipt()
            #expect(Set(before.contents.inAppPurchases.map(\.productIdentifier)) == ["apple", "juice"])
            #expect(before.contents.environment == .sandbox)
            try await phone.finish(apple.transactionIdentifier)
            try await phone.finish(juice.transactionIdentifier)

            let after = try await phone.receipt()
            #expect(after.contents.inAppPurchases.map(\.transactionIdentifier) == [apple.transactionIdentifier])
        }
    }

    @Test("A receipt is for the device that asked, and as new as its event number", arguments: Engine.stores)
    func device(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            try await phone.buy("apple", request: "1", as: anna)

            let answer = try await phone.receiptAnswer()
            let data = try #require(Data(base64Encoded: answer.receipt ?? ""))
            let verifier = try TestStore.authority.get().verifier
            let tabletIdentifier = try #require(Data(hexadecimal: tablet.credentials.identifier))
            let verdict = try verifier.verify(
                data, expecting: .init(bundleIdentifier: TestStore.bundleIdentifier, deviceIdentifier: tabletIdentifier)
            )

            guard case .refused(let refusals) = verdict else {
                Issue.record("another device's receipt was accepted")
                return
            }
            #expect(refusals.map(\.code) == [.wrongDevice])
            #expect(answer.position == EventPosition(account: anna.identifier.rawValue, number: 1))
        }
    }

    @Test("A finished non-renewing subscription stays, also when it is refunded", arguments: Engine.stores)
    func nonRenewing(engine: Engine) async throws {
        try await engine.withStore { store in
            let catalogue = """
                { "products" : [], "nonRenewingSubscriptions" : [
                  { "displayPrice" : "9.99", "familyShareable" : false, "internalID" : "9", "productID" : "season",
                    "referenceName" : "Season", "type" : "NonRenewingSubscription", "localizations" : [
                      { "description" : "Fruit until autumn", "displayName" : "Season", "locale" : "en_US" } ] } ],
                  "version" : { "major" : 2, "minor" : 0 } }
                """
            try await ImportingCatalogue(store.context)(
                try StoreKitConfigurationFile(
                    Data(catalogue.utf8), file: "season.storekit",
                    bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier)),
                into: App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit"))
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let season = try await phone.buy("season", request: "1", as: anna)

            let before = try await phone.receipt().contents.inAppPurchases
            #expect(before.map(\.transactionIdentifier) == [season.transactionIdentifier])
            #expect(before.map(\.productType) == [.nonRenewing])
            try await phone.finish(season.transactionIdentifier)

            #expect(try await phone.receipt().contents.inAppPurchases == before)
            try await store.service.refund(TransactionIdentifier(season.transactionIdentifier))
            let after = try await phone.receipt().contents.inAppPurchases
            #expect(after.map(\.transactionIdentifier) == [season.transactionIdentifier])
            #expect(after.first?.cancellationDate != nil)
        }
    }

    @Test("A refunded purchase stays, and says when it was cancelled", arguments: Engine.stores)
    func refunded(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let pear = try await phone.buy("pear", request: "2", as: anna)
            try await phone.finish(apple.transactionIdentifier)
            store.clock.advance(by: .seconds(60))
            try await store.service.refund(TransactionIdentifier(apple.transactionIdentifier))

            let purchases = try await phone.receipt().contents.inAppPurchases

            #expect(
                Set(purchases.map(\.transactionIdentifier)) == [
                    apple.transactionIdentifier, pear.transactionIdentifier,
                ])
            let cancelled = purchases.filter { $0.cancellationDate != nil }
            #expect(cancelled.map(\.transactionIdentifier) == [apple.transactionIdentifier])
            #expect(cancelled.first?.cancellationDate == store.clock.now.date)
        }
    }

    @Test(
        "A sandbox gives receipts that are expired, revoked or of volume purchase to who asks for them",
        arguments: Engine.stores)
    func properties(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            func contents(_ properties: ReceiptProperties?) async throws -> AppReceipt {
                try await phone.receipt(properties).contents
            }
            let now = store.clock.now.date

            let plain = try await contents(nil)
            #expect(plain.expirationDate == nil)
            #expect(plain.environment == .sandbox)
            #expect(plain.inAppPurchases.allSatisfy { $0.cancellationDate == nil })
            let expired = try await contents(ReceiptProperties(isExpired: true))
            #expect(try #require(expired.expirationDate) < now)
            #expect(expired.inAppPurchases == plain.inAppPurchases)
            let revoked = try await contents(ReceiptProperties(isRevoked: true))
            #expect(revoked.expirationDate == now)
            #expect(revoked.inAppPurchases.map(\.cancellationDate) == [now])
            let volume = try await contents(ReceiptProperties(isVolumePurchase: true))
            #expect(volume.environment == .sandboxVolumePurchase)
            #expect(volume.expirationDate == nil)
        }
    }

    @Test("Production issues no made-up receipts", arguments: Engine.stores)
    func noPropertiesInProduction(engine: Engine) async throws {
        try await engine.withStore { store in
            let production = try await store.context(environment: .production)
            let device = DeviceIdentifier(rawValue: String(repeating: "0a", count: 16))
            try await RegisteringDevice(production)(
                device, secret: String(repeating: "0b", count: 32))
            let anna = try await AddingAccount(production)(
                email: "anna@example.com", password: "secret", storefront: "USA")
            try await store.context.database.write { connection in
                try connection.run(
                    "UPDATE device SET account_id = $1, account_bucket = $2 WHERE environment = 'Production'",
                    [anna.identifier, anna.identifier.bucket])
            }

            let issued = try #require(
                try await IssuingReceipt(production, authority: TestStore.authority.get())(
                    for: device, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                    applicationVersion: "1.0",
                    properties: .init(isExpired: true, isRevoked: true, isVolumePurchase: true)))

            let contents = try UnverifiedAppReceipt(parsing: issued.receipt).contents
            #expect(contents.environment == .production)
            #expect(contents.expirationDate == nil)
        }
    }

    @Test("No account signed in, nothing asked: there is no receipt", arguments: Engine.stores)
    func nobody(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()

            let answer = try await phone.receiptAnswer()

            #expect(answer.receipt == nil && answer.sheet == nil)
        }
    }
}

extension TestDevice {
    /// The device's receipt, verified as the device does it.
    func receipt(_ properties: ReceiptProperties? = nil) async throws -> VerifiedAppReceipt {
        let data = try #require(Data(base64Encoded: try await receiptAnswer(properties).receipt ?? ""))
        let verdict = try TestStore.authority.get().verifier.verify(
            data,
            expecting: .init(
                bundleIdentifier: TestStore.bundleIdentifier,
                deviceIdentifier: Data(hexadecimal: credentials.identifier)))
        guard case .verified(let receipt) = verdict else {
            throw StoreFailure(.internalError, "\(verdict)")
        }
        return receipt
    }
}
