// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreServer
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreService

/// The links with tokens to pages of items, their cookie, and the page that an
/// app opens for its device.
struct ItemClickTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let query = "at=friends&ct=autumn"

    /// The cookie of a click as the browser sends it back.
    private static func cookie(_ answer: TestResponse) throws -> HTTPFields {
        let text = try #require(answer.headers[.setCookie])
        return [.cookie: String(try #require(text.split(separator: ";").first))]
    }

    private static func form(_ account: Account, _ decision: String) -> String {
        "email=\(account.email)&password=\(TestStore.password.replacing(" ", with: "+"))&decision=\(decision)"
    }

    @Test("A link's tokens are saved in a cookie by the redirect, and never by a page that a cache keeps")
    func cookies() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app)
            let visit = try await client.get("/app/1001?\(Self.query)&ct=other&x=1")
            #expect(visit.status == .found && visit.headers[.location] == "/app/1001/USA/en")
            #expect(visit.headers[.cacheControl] == "no-store")
            let cookie = try #require(visit.headers[.setCookie])
            for part in ["__Host-store_click=", "Max-Age=86400", "Path=/", "Secure", "HttpOnly", "SameSite=Strict"] {
                #expect(cookie.contains(part), "\(part)")
            }
            // The whole address with tokens isn't the cacheable page either.
            let whole = try await client.get("/app/1001/USA/en?\(Self.query)")
            #expect(whole.status == .found && whole.headers[.location] == "/app/1001/USA/en")
            #expect(whole.headers[.cacheControl] == "no-store" && whole.headers[.setCookie] != nil)

            let page = try await client.get("/app/1001/USA/en", headers: try Self.cookie(visit))
            #expect(page.status == .ok && page.headers[.cacheControl] == "public, max-age=60")
            #expect(page.headers[.setCookie] == nil && !page.text.contains("autumn"))
            for wrong in ["at=a%20b", "at=%3Cscript%3E", "at=", "ct=\(String(repeating: "a", count: 65))"] {
                let answer = try await client.get("/app/1001?\(wrong)")
                #expect(answer.status == .found && answer.headers[.setCookie] == nil, "\(wrong)")
            }
        }
    }

    @Test("Purchases in the day after a click have its tokens, and later ones have none")
    func aDay() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            for item: Int64 in [1, 2, 3] { try await store.addItem(item) }
            let anna = try await store.addAccount()
            let clicked = try Self.cookie(try await client.get("/item/1?\(Self.query)"))
            func buy(_ item: Int, _ headers: HTTPFields) async throws {
                let ordered = try await client.post("/item/\(item)/buy", Self.form(anna, "show"), headers: headers)
                let sheet = try #require(ordered.headers[.location])
                let bought = try await client.post(sheet, Self.form(anna, "buy"), headers: headers)
                #expect(bought.status == .ok)
            }
            try await buy(1, [:])
            #expect(try await store.count("campaign_purchase") == 0)
            store.clock.advance(by: .seconds(24 * 60 * 60 - 5))
            try await buy(2, clicked)
            #expect(try await store.count("campaign_purchase") == 1)
            store.clock.advance(by: .seconds(10))
            try await buy(3, clicked)
            #expect(try await store.count("campaign_purchase") == 1)
            let campaigns = try await CountingCampaigns(store.context).list()
            #expect(campaigns.map(\.subject.item) == [2] && campaigns.first?.subject.tokens.text == Self.query)
        }
    }

    @Test("A product that is confirmed on a sheet after a click has its tokens")
    func inApp() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let clicked = try Self.cookie(try await client.get("/app/1001?\(Self.query)"))
            let token = try phone.token(try await phone.ask("apple", request: "1").sheet)
            let bought = try await client.post("/sheet/\(token)", Self.form(anna, "buy"), headers: clicked)
            #expect(bought.status == .ok)
            let campaigns = try await CountingCampaigns(store.context).list()
            #expect(campaigns.map(\.subject.app) == [Self.app] && campaigns.map(\.purchases) == [1])
        }
    }

    @Test("A cookie of another form, and one of tomorrow, count as none")
    func wrongCookies() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let anna = try await store.addAccount()
            let now = store.clock.now.milliseconds
            let values = [
                "", "x", "\(now)", "&at=friends", "\(now)&", "\(now)&at=", "9223372036854775807&at=friends",
                "-9223372036854775808&at=friends", "\(now + 3_600_000)&at=friends", "\(now)&at=%22", "\(now)&xx=1",
            ]
            for (place, value) in values.enumerated() {
                try await store.addItem(Int64(place) + 1)
                let cookie: HTTPFields = [.cookie: "__Host-store_click=\(value)"]
                let ordered = try await client.post(
                    "/item/\(place + 1)/buy", Self.form(anna, "show"), headers: cookie)
                let sheet = try #require(ordered.headers[.location])
                #expect(try await client.post(sheet, Self.form(anna, "buy"), headers: cookie).status == .ok, "\(value)")
            }
            #expect(try await store.ledger().count == values.count)
            #expect(try await store.count("campaign_purchase") == 0)
        }
    }

    @Test("The page of a device has its order, and no cache keeps it", arguments: Engine.servers)
    func device(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.addItem(1001, app: Self.app)
            try await PromotingProducts(store.context)(["pear", "apple"], of: Self.app)
            func promoted(_ address: String) async throws -> [String] {
                let answer = try await client.get(address)
                #expect(answer.status == .ok, "\(address)")
                let isPublic = address == "/app/1001/USA/en"
                #expect(answer.headers[.cacheControl] == (isPublic ? "public, max-age=60" : "no-store"), "\(address)")
                return answer.text.matches(of: /productIdentifier=([a-z]+)/).map { String($0.1) }
            }
            let visit = try await client.get("/app/1001?at=friends&order=apple&hide=pear&show=juice&product=juice")
            let address = "/app/1001/USA/en?product=juice&order=apple&show=juice&hide=pear"
            #expect(visit.headers[.location] == address && visit.headers[.setCookie] != nil)
            #expect(try await promoted(address) == ["juice", "apple"])
            #expect(try await promoted("/app/1001/USA/en") == ["pear", "apple"])
            #expect(try await promoted("/app/1001/USA/en?product=apple") == ["apple", "pear"])
            let hostile = "/app/1001?order=%22%3E%3Cscript%3E&hide=a%26b%3Dc%0D%0A"
            let encoded = try await client.get(hostile).headers[.location]
            #expect(encoded == "/app/1001/USA/en?order=%22%3E%3Cscript%3E&hide=a%26b%3Dc%0D%0A")
            let page = try await client.get(try #require(encoded)).text
            #expect(!page.contains("<script"))
            let many = (1...200).map { "show=p\($0)" }.joined(separator: "&")
            let kept = try #require(try await client.get("/app/1001?\(many)").headers[.location])
            #expect(kept.split(separator: "&").count == ItemQueryName.count)
        }
    }

    @Test("A device gets the page of an item, and none for an unknown one", arguments: Engine.servers)
    func message(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(1001, app: Self.app)
            try await store.addItem(1002)
            let phone = try await store.addDevice()
            let app = try await phone.call(ItemCall(item: 1001))
            #expect(app.page?.hasSuffix("/app/1001") == true && app.bundleIdentifier == Self.app.rawValue)
            let song = try await phone.call(ItemCall(item: 1002))
            #expect(song.page?.hasSuffix("/item/1002") == true && song.bundleIdentifier == nil)
            #expect(try await phone.call(ItemCall(item: 1003)) == ItemCall.Answer())
        }
    }

    @Test("The receipt of an app that was got on its page has the version and the date", arguments: Engine.servers)
    func receipt(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.addItem(1001, app: Self.app, version: "1.7", price: "0")
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "1", as: anna)
            let before = try await phone.receiptContents()
            #expect(before.originalApplicationVersion == "1.0" && before.originalPurchaseDate == nil)
            try await store.buyItem(1001, as: anna)
            let bought = store.clock.now
            store.clock.advance(by: .seconds(3600))
            try await store.addItem(1001, app: Self.app, version: "2.0", price: "0")
            let after = try await phone.receiptContents()
            #expect(after.originalApplicationVersion == "1.7")
            #expect(after.originalPurchaseDate == StoreTime(milliseconds: bought.milliseconds).wholeSeconds.date)
        }
    }
}

extension TestDevice {
    /// The contents of the device's receipt.
    fileprivate func receiptContents() async throws -> AppReceipt {
        let data = try #require(Data(base64Encoded: try await receiptAnswer().receipt ?? ""))
        return try UnverifiedAppReceipt(parsing: data).contents
    }
}
