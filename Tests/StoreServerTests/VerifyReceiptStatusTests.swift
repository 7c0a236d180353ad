// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import StoreAPI
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// `/verifyReceipt` with receipts of subscriptions and of production, and
/// with a database that fails.
struct VerifyReceiptStatusTests {
    private static let app = "com.example.fruit"

    private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private static func receipt(
        _ purchases: [InAppPurchase], environment: AppReceipt.Environment = .sandbox
    ) throws -> AppReceipt {
        AppReceipt(
            environment: environment, bundleIdentifier: app, applicationVersion: "1.7", opaqueValue: Data([1]),
            deviceHash: Data(count: 20), creationDate: try date("2026-01-01T00:00:00Z"), inAppPurchases: purchases,
            originalApplicationVersion: "1.2", originalPurchaseDate: try date("2013-08-01T07:00:00Z"),
            appIdentifier: 1_234_567)
    }

    private static func period(_ number: Int, original: Int = 1, until end: String) throws -> InAppPurchase {
        InAppPurchase(
            productIdentifier: "juice.monthly", transactionIdentifier: String(number),
            purchaseDate: try date("2025-12-01T00:00:00Z"), originalTransactionIdentifier: String(original),
            originalPurchaseDate: try date("2025-11-01T00:00:00Z"), productType: .autoRenewable,
            subscriptionExpirationDate: try date(end), webOrderLineItemIdentifier: 77, isTrialPeriod: true)
    }

    @Test("Of a key that a request has twice the first value counts")
    func aKeyThatIsThereTwice() async throws {
        let receipt = try Self.receipt([])
        try await with { authority, ask in
            let good = #""receipt-data":"\#(try authority.sign(receipt).base64EncodedString())""#
            let bad = #""receipt-data":"AAAA""#
            for (body, status) in [("{\(good),\(bad)}", 0), ("{\(bad),\(good)}", 21002)] {
                let answer = try await ask.client.post("/verifyReceipt", body)
                #expect(try answer.object()["status"] as? Int == status, "\(status)")
            }
        }
    }

    @Test("A subscription's answer has its history and its renewal")
    func aSubscriptionHasItsHistoryAndItsRenewal() async throws {
        let receipt = try Self.receipt([
            Self.period(1, until: "2025-12-01T00:00:00Z"), Self.period(2, until: "2026-06-01T00:00:00Z"),
            Self.period(3, original: 3, until: "2025-12-15T00:00:00Z"),
            InAppPurchase(
                productIdentifier: "apple", transactionIdentifier: "4",
                purchaseDate: Self.date("2025-12-01T00:00:00Z"),
                cancellationDate: Self.date("2025-12-02T00:00:00Z")),
        ])
        try await with { authority, ask in
            let object = try await ask(try authority.sign(receipt), #""exclude-old-transactions":false"#)

            #expect(object["status"] as? Int == 0)
            let info = try #require(object["latest_receipt_info"] as? [[String: Any]])
            #expect(info.compactMap { $0["transaction_id"] as? String } == ["2", "3", "1", "4"])
            #expect(info[0]["expires_date"] as? String == "2026-06-01 00:00:00 Etc/GMT")
            #expect(info[0]["expires_date_ms"] as? String == "1780272000000")
            #expect(info[0]["expires_date_pst"] as? String == "2026-05-31 17:00:00 America/Los_Angeles")
            #expect(info[0]["web_order_line_item_id"] as? String == "77")
            #expect(info[0]["is_trial_period"] as? String == "true")
            #expect(info[0]["is_in_intro_offer_period"] as? String == "false")
            let renewals = try #require(object["pending_renewal_info"] as? [[String: String]])
            #expect(renewals.map { $0["original_transaction_id"] } == ["1", "3"])
            #expect(renewals.map { $0["auto_renew_status"] } == ["1", "0"])
            let body = try #require(object["receipt"] as? [String: Any])
            #expect(body["application_version"] as? String == "1.0")
            #expect(body["adam_id"] as? Int == 1_234_567)
            #expect(body["original_purchase_date_ms"] as? String == "1375340400000")
            let apple = try #require(
                (body["in_app"] as? [[String: Any]])?.last { $0["product_id"] as? String == "apple" })
            #expect(apple["cancellation_date_ms"] as? String == "1764633600000")
            #expect(apple["cancellation_reason"] as? String == "0")
            let latest = try #require(object["latest_receipt"] as? String)
            #expect(try Data(base64Encoded: latest) == authority.sign(receipt))

            let all = ["2", "3", "1", "4"]
            for (flag, expected) in [
                ("true", ["2", "3", "4"]), (#""true""#, ["2", "3", "4"]), ("false", all), (#""false""#, all),
                ("null", all),
            ] {
                let answer = try await ask(try authority.sign(receipt), #""exclude-old-transactions":\#(flag)"#)
                let listed = try #require(answer["latest_receipt_info"] as? [[String: Any]], "\(flag)")
                #expect(listed.compactMap { $0["transaction_id"] as? String } == expected, "\(flag)")
            }
        }
    }

    @Test("The answer about a receipt without subscriptions has no history")
    func aReceiptWithoutSubscriptionsHasNoHistory() async throws {
        try await with { authority, ask in
            let object = try await ask(try authority.sign(Self.receipt([])), "")
            #expect(Set(object.keys) == ["status", "environment", "receipt"])
        }
    }

    @Test("The answer about a transaction receipt has the keys of the old format")
    func theOldFormatHasItsKeys() async throws {
        try await with { authority, ask in
            let receipt = TransactionReceipt(
                bundleIdentifier: Self.app, bundleVersion: "1.7", productIdentifier: "apple",
                transactionIdentifier: "5", purchaseDate: try Self.date("2025-12-01T00:00:00Z"),
                unknownEntries: ["unique-identifier": "ab", "version-external-identifier": "9"])
            let object = try await ask(try authority.sign(receipt), "")

            #expect(Set(object.keys) == ["status", "receipt"])
            #expect(object["status"] as? Int == 0)
            let body = try #require(object["receipt"] as? [String: String])
            #expect(body["bid"] == Self.app)
            #expect(body["bvrs"] == "1.7")
            #expect(body["product_id"] == "apple")
            #expect(body["quantity"] == "1")
            #expect(body["transaction_id"] == "5")
            #expect(body["original_transaction_id"] == "5")
            #expect(body["purchase_date"] == "2025-12-01 00:00:00 Etc/GMT")
            #expect(body["purchase_date_ms"] == "1764547200000")
            #expect(body["original_purchase_date_pst"] == "2025-11-30 16:00:00 America/Los_Angeles")
            #expect(body["unique_identifier"] == "ab")
            // The sandbox has neither (table 5-1).
            #expect(body["app_item_id"] == nil)
            #expect(body["version_external_identifier"] == nil)
        }
    }

    @Test("An ended subscription of the old format is 21006")
    func anEndedSubscriptionOfTheOldFormatIs21006() async throws {
        try await with { authority, ask in
            var receipt = TransactionReceipt(
                bundleIdentifier: Self.app, bundleVersion: "1", productIdentifier: "juice.monthly",
                transactionIdentifier: "5", purchaseDate: try Self.date("2025-12-01T00:00:00Z"),
                expirationDate: try Self.date("2026-01-01T00:00:00Z"))
            let ended = try await ask(try authority.sign(receipt), "")
            #expect(ended["status"] as? Int == 21006)
            let info = try #require(ended["latest_expired_receipt_info"] as? [String: String])
            #expect(info["expires_date"] == "1767225600000")
            #expect(ended["receipt"] != nil && ended["latest_receipt"] == nil)

            receipt.expirationDate = try Self.date("2026-02-01T00:00:00Z")
            let running = try await ask(try authority.sign(receipt), "")
            #expect(running["status"] as? Int == 0)
            #expect(running["latest_receipt_info"] != nil)
        }
    }

    @Test("Another authority's transaction receipt is 21003, and one without a signature is 21002")
    func anotherAuthoritysOrAForgedOldReceiptIs21003() async throws {
        try await with { authority, ask in
            var random = SeededGenerator(seed: 98)
            let other = try SigningAuthority.create(using: &random)
            let receipt = TransactionReceipt(
                bundleIdentifier: Self.app, bundleVersion: "1", productIdentifier: "apple",
                transactionIdentifier: "5", purchaseDate: try Self.date("2025-12-01T00:00:00Z"))
            #expect(try await ask(try other.sign(receipt), "")["status"] as? Int == 21003)
            #expect(try await ask(Data("{ \"a\" = \"b\"; }".utf8), "")["status"] as? Int == 21002)
        }
    }

    @Test("The log says why receipts were refused, in printable characters and twenty lines at most")
    func reportedRefusals() async throws {
        let log = RecordingLogHandler()
        try await with(logger: Logger(label: "test", factory: { _ in log })) { _, ask in
            var random = SeededGenerator(seed: 5)
            let other = try SigningAuthority.create(using: &random)
            let receipt = try other.sign(Self.receipt([]))
            #expect(try await ask(receipt, "")["status"] as? Int == 21003)
            for _ in 0..<30 { _ = try await ask(Data([0x30, 0x0A]), "") }
        }
        let lines = log.lines
        #expect(lines.count == 20)
        #expect(lines.first?.contains("21003") == true && lines.last?.contains("21002") == true)
        #expect(lines.allSatisfy { $0.contains("reason=") && !$0.hasSuffix("reason=") })
        let forged = VerifyReceiptRefusal(status: .malformed, reasons: ["a\nnotice: paid \u{202E}" as String])
        #expect(forged.reason == "anotice: paid ")
    }

    @Test("The log says why a request or a shared secret was refused, and contains no secret")
    func reportedRequests() async throws {
        let log = RecordingLogHandler()
        let configuration = VerifyReceiptConfiguration(sharedSecrets: [Self.app: "secret"])
        let subscribed = try Self.receipt([Self.period(1, until: "2026-06-01T00:00:00Z")])
        try await with(configuration, logger: Logger(label: "test", factory: { _ in log })) { authority, ask in
            let receipt = try authority.sign(subscribed)
            #expect(try await ask(Data(), #""password":"guess""#)["status"] as? Int == 21002)
            #expect(try await ask(receipt, #""password":"guess""#)["status"] as? Int == 21004)
        }
        #expect(log.lines.count == 2)
        #expect(log.lines.allSatisfy { $0.contains("reason=The ") && !$0.contains("guess") })
    }

    @Test("A receipt of a revoked leaf is 21003") func aRevokedLeafIs21003() async throws {
        var random = SeededGenerator(seed: 97)
        let authority = try SigningAuthority.create(using: &random)
        let receipt = try authority.sign(Self.receipt([]))
        try await with(authority: authority) { authority, ask in
            #expect(try await ask(receipt, "")["status"] as? Int == 0)
            try authority.revoke(
                authority.leafSerialNumbers(of: .sandbox).receipts, now: Self.date("2026-01-01T00:00:00Z"))
            #expect(try await ask(receipt, "")["status"] as? Int == 21003)
        }
    }

    @Test("A wrong shared secret is 21004, and so is a missing one for a subscription")
    func theSharedSecretDecides() async throws {
        let configuration = VerifyReceiptConfiguration(sharedSecrets: [Self.app: "secret"])
        let plain = try Self.receipt([])
        let subscribed = try Self.receipt([Self.period(1, until: "2026-06-01T00:00:00Z")])
        try await with(configuration) { authority, ask in
            for (receipt, password, status) in [
                (plain, "", 0), (plain, #""password":"secret""#, 0), (plain, #""password":"other""#, 21004),
                (subscribed, "", 21004), (subscribed, #""password":"secreT""#, 21004),
                (subscribed, #""password":"""#, 21004), (subscribed, #""password":"secret""#, 0),
            ] {
                let object = try await ask(try authority.sign(receipt), password)
                #expect(object["status"] as? Int == status, "\(password)")
                if status == 21004 { #expect(Set(object.keys) == ["status", "environment"]) }
            }
        }
    }

    @Test("A receipt of the other environment is 21007 or 21008") func environmentsAreTheListeners() async throws {
        try await with(environment: .production) { authority, ask in
            #expect(try await ask(try authority.sign(Self.receipt([])), "")["status"] as? Int == 21007)
            let volume = try await ask(try authority.sign(Self.receipt([], environment: .productionVolumePurchase)), "")
            #expect(volume["status"] as? Int == 0)
            #expect(volume["environment"] as? String == "Production")
            let body = try #require(volume["receipt"] as? [String: Any])
            #expect(body["receipt_type"] as? String == "ProductionVPP")
            #expect(body["application_version"] as? String == "1.7")
            let old = TransactionReceipt(
                bundleIdentifier: Self.app, bundleVersion: "1", productIdentifier: "apple",
                transactionIdentifier: "5", purchaseDate: try Self.date("2025-12-01T00:00:00Z"))
            #expect(try await ask(try authority.sign(old), "")["status"] as? Int == 21007)
        }
        try await with { authority, ask in
            let old = TransactionReceipt(
                environment: .production, bundleIdentifier: Self.app, bundleVersion: "1", productIdentifier: "apple",
                transactionIdentifier: "5", purchaseDate: try Self.date("2025-12-01T00:00:00Z"),
                appItemIdentifier: "9")
            #expect(try await ask(try authority.sign(old), "")["status"] as? Int == 21008)
        }
    }

    @Test("A failing database is 21005, 21100 or 21199, and a wrong operator's key is 21009")
    func badDaysHaveTheirCodes() async throws {
        let receipt = try Self.receipt([
            InAppPurchase(
                productIdentifier: "juice", transactionIdentifier: "1", purchaseDate: Self.date("2025-12-01T00:00:00Z"))
        ])
        for (error, status, isRetryable) in [
            (DatabaseError(.closed, "closed"), 21005, nil), (DatabaseError(.unreachable, "gone"), 21005, nil),
            (DatabaseError(.overloaded, "full"), 21005, nil), (DatabaseError(.busy, "locked"), 21100, true),
            (DatabaseError(.other, "odd"), 21199, false), (DomainError(.authority, "another key"), 21009, nil),
        ] as [(any Error, Int, Bool?)] {
            try await with(failure: error) { authority, ask in
                let object = try await ask(try authority.sign(receipt), "")
                #expect(object["status"] as? Int == status, "\(error)")
                #expect(object["is_retryable"] as? Bool == isRetryable, "\(error)")
            }
        }
    }

    @Test("An overload is a notice, in twenty lines at most") func anOverloadIsANotice() async throws {
        let log = RecordingLogHandler()
        let receipt = try Self.receipt([
            InAppPurchase(
                productIdentifier: "juice", transactionIdentifier: "1", purchaseDate: Self.date("2025-12-01T00:00:00Z"))
        ])
        try await with(
            failure: DatabaseError(.overloaded, "full"), logger: Logger(label: "test", factory: { _ in log })
        ) { authority, ask in
            let receipt = try authority.sign(receipt)
            for _ in 0..<30 { #expect(try await ask(receipt, "")["status"] as? Int == 21005) }
        }
        #expect(log.lines.count == 20)
        #expect(log.lines.allSatisfy { $0.contains("too much to do") })
        #expect(log.levels == [.notice])
    }

    @Test("An authority that can't be read is 21009") func anAuthorityThatCanNotBeReadIs21009() async throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 96)
        let directory = URL(fileURLWithPath: folder.path("authority"))
        let authority = try SigningAuthority.loadOrCreate(directory: directory, using: &random)
        let receipt = try authority.sign(Self.receipt([]))
        try await with(authority: authority) { _, ask in
            let good = try await ask(receipt, "")
            #expect(good["status"] as? Int == 0)
            try Data("damaged".utf8).write(to: directory.appendingPathComponent("index.json"))
            #expect(try await ask(receipt, "")["status"] as? Int == 21009)
        }
    }

    private struct Ask: Sendable {
        let client: any TestClientProtocol

        func callAsFunction(_ receipt: Data, _ rest: String) async throws -> [String: Any] {
            try await self(text: receipt.base64EncodedString(), rest)
        }

        func callAsFunction(text: String, _ rest: String) async throws -> [String: Any] {
            let response = try await client.post(
                "/verifyReceipt", "{\"receipt-data\":\"\(text)\"\(rest.isEmpty ? "" : ",")\(rest)}")
            #expect(response.status == .ok)
            return try response.object()
        }
    }

    private func with(
        _ verifyReceipt: VerifyReceiptConfiguration = .init(), environment: StoreEnvironment = .sandbox,
        authority: SigningAuthority? = nil, failure: (any Error)? = nil, logger: Logger? = nil,
        _ body: @Sendable @escaping (SigningAuthority, Ask) async throws -> Void
    ) async throws {
        try await Engine.sqliteMemory.withStore { store in
            let authority = try authority ?? TestStore.authority.get()
            var configuration = StoreConfiguration(
                database: failure.map { BrokenDatabase(error: $0) } ?? store.context.database,
                clock: store.clock.wallClock, random: store.context.random)
            configuration.environment = environment
            let serving = ServingConfiguration(
                authority: authority, publicURL: "http://store.example", logger: logger ?? store.service.logger)
            let service = Store(configuration, serving: serving).service
            var server = ServerConfiguration(host: "localhost", port: 0)
            server.verifyReceipt = verifyReceipt
            let router = try buildRouter(service, server)
            try await Application(router: router, logger: service.logger).test(.router) { client in
                try await body(authority, Ask(client: client))
            }
        }
    }
}

/// A database in which every access fails.
private struct BrokenDatabase: Database {
    let error: any Error

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        throw error
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        throw error
    }

    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T { throw error }
    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T { throw error }
    func close() throws {}
}
