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

/// The page of an app's notification addresses.
struct ConnectAddressTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let path = "/connect/apps/\(TestStore.bundleIdentifier)/notifications"

    private static func form(
        _ decision: String, url: String = "https://seller.example/", version: String = "2",
        environment: String = "Sandbox", address: String? = nil
    ) -> [String: String] {
        var form = ["decision": decision, "url": url, "version": version, "environment": environment]
        form["address"] = address
        return form
    }

    @Test(
        "An address is added, tested, changed and removed, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func whole(engine: Engine, language: String) async throws {
        let receiver = RecordedNotifications { $0.url.hasSuffix("/broken") ? .unsuccessfulStatus : .success }
        try await engine.withHTTP(notifications: receiver) { store, client in
            let holder = try await store.setUpTeam()
            var browser = try await ConnectBrowser(client, holder, store)
            browser.language = language
            let page = try #require(PageLanguage(rawValue: language))
            let words = AddressWords.words(page)
            #expect(try await browser.get("/connect/apps/\(Self.app)").text.contains(Self.path))
            #expect(try await browser.get(Self.path).text.contains(words.testNeedsAddress))
            let added = try await browser.send(Self.path, Self.form("add", url: "https://seller.example/broken"))
            #expect(added.headers[.location] == "\(Self.path)?done=saved")

            #expect(try await browser.send(Self.path, ["decision": "test"]).status == .seeOther)
            let waiting = try await browser.get("\(Self.path)?done=test").text
            #expect(waiting.contains(words.waiting) && waiting.contains(words.sent))
            // A second click doesn't order another one.
            _ = try await browser.send(Self.path, ["decision": "test"])
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            #expect(receiver.kinds == ["TEST"])
            let tested = try await browser.get(Self.path).text
            #expect(tested.contains("UNSUCCESSFUL_HTTP_RESPONSE_CODE") && tested.contains("500"))
            #expect(!tested.contains(words.waiting) && tested.utf8.count < 80_000)

            let broken = AddressesPage.identifier(of: "https://seller.example/broken", in: .sandbox)
            let opened = try await browser.get("\(Self.path)?change=\(broken)").text
            #expect(opened.contains("value=\"https://seller.example/broken\"") && opened.contains(words.change))
            let changed = try await browser.send(Self.path, Self.form("change", address: broken))
            #expect(changed.status == .seeOther)
            store.clock.advance(by: .seconds(1))
            _ = try await browser.send(Self.path, ["decision": "test"])
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            #expect(try await browser.get(Self.path).text.contains(words.success))

            let log = try await browser.get("/connect/log").text
            #expect(log.contains("https://seller.example/broken") && log.contains("Sandbox, version 2"))
            let whole = AddressesPage.identifier(of: "https://seller.example/", in: .sandbox)
            #expect(try await browser.send(Self.path, ["decision": "remove", "address": whole]).status == .seeOther)
            #expect(try await browser.send(Self.path, ["decision": "remove", "address": whole]).status == .notFound)
            #expect(try await browser.send(Self.path, ["decision": "test"]).status == .badRequest)
            #expect(try await ChangingNotificationAddresses(store.context)().isEmpty)
        }
    }

    @Test("A refused address keeps the typed values, with the problem beside its field")
    func refused() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let browser = try await ConnectBrowser(client, try await store.setUpTeam(), store)
            let (fields, most) = (FieldWords.english, NotificationAddress.longest)
            let cases = [
                ("", fields.missing), ("ftp://seller.example/", fields.malformed),
                ("https://a:b@seller.example/", fields.malformed),
                (
                    "https://seller.example/" + String(repeating: "a", count: most),
                    fields.fill(\.tooLong, ["limit": "1,024"])
                ),
            ]
            for (url, sentence) in cases {
                let answer = try await browser.send(Self.path, Self.form("add", url: url, version: "1"))
                #expect(answer.status == .badRequest && answer.text.contains(sentence), "\(url)")
                #expect(answer.text.contains("value=\"\(url)\"") && answer.text.contains("value=\"1\" selected"))
            }
            for form in [Self.form("add", version: "3"), Self.form("add", environment: "Xcode")] {
                let answer = try await browser.send(Self.path, form)
                #expect(answer.status == .badRequest && answer.text.contains(fields.unknown))
            }
            _ = try await browser.send(Self.path, Self.form("add"))
            let taken = try await browser.send(Self.path, Self.form("add", version: "1"))
            #expect(taken.status == .badRequest && taken.text.contains(fields.taken))
            let gone = try await browser.send(Self.path, Self.form("change", address: "00"))
            #expect(gone.status == .conflict)
        }
    }

    @Test(
        "An app has twenty addresses in each environment, without regard to those of other apps",
        arguments: Engine.servers)
    func most(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            try await ChangingNotificationAddresses(store.context).add(
                "https://other.example/", of: "com.example.other")
            let registering = try store.service.registeringAddresses()
            func values(_ number: Int, _ environment: String) -> AddressValues {
                let url = "https://seller.example/\(number)?" + String(repeating: "a", count: 990)
                return AddressValues(url: url, version: "2", environment: environment)
            }
            for environment in ["Sandbox", "Production"] {
                for number in 0..<NotificationAddress.most {
                    try await registering.add(values(number, environment), of: Self.app, by: holder)
                }
                await #expect(throws: DomainError(.invalid, "")) {
                    try await registering.add(values(99, environment), of: Self.app, by: holder)
                }
            }
            let browser = try await ConnectBrowser(client, holder, store)
            #expect(try await browser.get(Self.path).text.utf8.count < 80_000)
        }
    }

    @Test("Addresses of another team reach the internet only, and its tests show no address of the operator")
    func reach() async throws {
        let receiver = RecordedNotifications()
        try await Engine.sqliteMemory.withHTTP(notifications: receiver) { store, client in
            _ = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            try await ChangingNotificationAddresses(store.context).add("http://localhost:8000/operator")
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.other", name: "Other", sku: "O", primaryLocale: "en_US"), by: other)
            let browser = try await ConnectBrowser(client, other, store)
            let path = "/connect/apps/com.example.other/notifications"
            let local = try await browser.send(path, Self.form("add", url: "http://localhost:8000/"))
            #expect(local.status == .badRequest && local.text.contains(FieldWords.english.malformed))
            _ = try await browser.send(path, Self.form("add"))
            _ = try await browser.send(path, ["decision": "test"])
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            let reaches = receiver.requests.map { [$0.url: $0.reach] }
            #expect(reaches.contains(["https://seller.example/": .internet]))
            #expect(reaches.contains(["http://localhost:8000/operator": .environment]) && reaches.count == 2)
            let page = try await browser.get(path).text
            #expect(page.contains(AddressWords.english.success) && !page.contains("localhost:8000/operator"))
        }
    }
}
