// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The page of shared secrets, and their use by `/verifyReceipt`.
struct ConnectSecretTests {
    private static let path = "/connect/apps/\(TestStore.bundleIdentifier)/secrets"

    private static func status(
        _ receipt: String, password: String?, _ client: any TestClientProtocol
    ) async throws -> Int? {
        let field = password.map { ",\"password\":\"\($0)\"" } ?? ""
        let answer = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"\(field)}")
        let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        return object?["status"] as? Int
    }

    /// The secrets that a page shows, in their order.
    private static func secrets(_ page: String) -> [String] {
        page.matches(of: /<pre>([0-9a-f]{32})\n<\/pre>/).map { String($0.1) }
    }

    private static func version(_ page: String, _ owner: String) throws -> String {
        let pattern = try Regex("value=\"\(owner)\">\\s*<input type=\"hidden\" name=\"version\" value=\"([0-9a-f]*)\"")
        let found = try #require(page.firstMatch(of: pattern))
        return found.output[1].substring.map(String.init) ?? ""
    }

    private static func make(_ owner: String, _ browser: ConnectBrowser) async throws -> TestResponse {
        let version = try version(try await browser.get(path).text, owner)
        return try await browser.send(path, ["decision": "make", "owner": owner, "version": version])
    }

    @Test(
        "The app's secret and its team's master secret are both accepted, until they are replaced",
        arguments: Engine.servers)
    func verification(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let device = try await store.addDevice()
            try await device.buy("apple", request: "1", as: try await store.addAccount())
            let receipt = try #require(try await device.receiptAnswer().receipt)
            #expect(try await Self.status(receipt, password: "any", client) == 0)

            for owner in ["app", "master"] {
                let made = try await Self.make(owner, browser)
                #expect(made.headers[.location] == "\(Self.path)?done=secret")
            }
            let first = Self.secrets(try await browser.get(Self.path).text)
            #expect(first.count == 2 && Set(first).count == 2)
            for secret in first { #expect(try await Self.status(receipt, password: secret, client) == 0) }
            #expect(try await Self.status(receipt, password: "any", client) == 21004)
            // A receipt without a subscription needs none.
            #expect(try await Self.status(receipt, password: nil, client) == 0)

            #expect(try await Self.make("app", browser).status == .seeOther)
            let second = Self.secrets(try await browser.get(Self.path).text)
            #expect(second[1] == first[1] && second[0] != first[0])
            #expect(try await Self.status(receipt, password: first[0], client) == 21004)
            #expect(try await Self.status(receipt, password: second[0], client) == 0)

            let making = MakingSharedSecrets(store.context, protection: .plain)
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.other", name: "Other", sku: "O", primaryLocale: "en_US"), by: other)
            try await making.make(.master, version: "", of: "com.example.other", by: other)
            let foreign = try await making(of: "com.example.other", as: other).master
            #expect(try await Self.status(receipt, password: foreign, client) == 21004)
            let log = try await browser.get("/connect/log").text
            #expect(log.contains(LogWords.english.name(.sharedSecret)))
            for secret in first + second { #expect(!log.contains(secret)) }
        }
    }

    @Test("The page of an earlier secret makes none, in three languages", arguments: ["en", "de", "fr"])
    func stale(language: String) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            var browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            browser.language = language
            let words = SecretWords.words(try #require(PageLanguage(rawValue: language)))
            let empty = try await browser.get(Self.path).text
            #expect(empty.contains(words.none) && empty.contains(words.make) && !empty.contains(words.again))
            let form = ["decision": "make", "owner": "app", "version": ""]
            #expect(try await browser.send(Self.path, form).status == .seeOther)
            let made = try await browser.get("\(Self.path)?done=secret").text
            #expect(made.contains(words.made) && made.contains(words.warning) && made.utf8.count < 80_000)
            let repeated = try await browser.send(Self.path, form)
            #expect(repeated.status == .conflict && Self.secrets(repeated.text) == Self.secrets(made))
            #expect(
                try await browser.send(Self.path, ["decision": "make", "owner": "all"]).status == .badRequest)
        }
    }

    @Test("A notification of version 1 has the secret", arguments: Engine.servers)
    func notified(engine: Engine) async throws {
        let receiver = RecordedNotifications()
        try await engine.withHTTP(notifications: receiver) { store, _ in
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            let holder = try await store.setUpTeam()
            let making = MakingSharedSecrets(store.context, protection: .plain)
            try await making.make(.master, version: "", of: app, by: holder)
            let url = TestStore.sellersServer
            try await ChangingNotificationAddresses(store.context).add(url, of: app, version: .one)
            let anna = try await store.addAccount()
            let bought = try await store.addDevice().buy("juice", request: "1", as: anna)
            try await store.service.refund(TransactionIdentifier(bought.transactionIdentifier))
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            let secret = try #require(try await making(of: app, as: holder).master)
            #expect(!receiver.requests.isEmpty)
            #expect(receiver.requests.allSatisfy { $0.body.contains("\"password\":\"\(secret)\"") })
        }
    }
}
