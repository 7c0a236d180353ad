// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// The pages of a payment that its provider answers later: the sheet's, and
/// the sandbox's in the place of a bank's.
struct PendingPaymentRouteTests {
    private let password = TestStore.password.replacing(" ", with: "+")

    private func answer(
        _ store: TestStore, hasAction: Bool, lifetime: Duration = .seconds(3600)
    ) async throws {
        var answer = SandboxAnswer()
        answer.kind = .pending
        answer.hasAction = hasAction
        answer.lifetime = lifetime
        try await SettingSandboxAnswer(store.context)(answer, email: nil)
    }

    /// Presses Buy on a sheet for an apple.
    private func buy(
        _ store: TestStore, _ client: any TestClientProtocol, headers: HTTPFields = [:]
    ) async throws -> (sheet: String, page: TestResponse) {
        let anna = try await store.addAccount()
        let device = try await store.addDevice()
        let sheet = "/sheet/\(try device.token(try await device.ask("apple", request: "r").sheet))"
        let form = "email=\(anna.email)&password=\(password)&decision=buy"
        return (sheet, try await client.post(sheet, form, headers: headers))
    }

    private func bank(_ store: TestStore) async throws -> String {
        let pending = try #require(try await ListingPayments(store.context)().first)
        return "/sandbox/payments/\(pending.payment.number)"
    }

    @Test(
        "A pending payment's page links to the bank, refreshes itself, and ends with the result",
        arguments: Engine.servers)
    func confirmed(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await answer(store, hasAction: true)
            let (sheet, page) = try await buy(store, client)
            let bank = try await bank(store)

            for page in [page, try await client.get(sheet)] {
                #expect(page.status == .accepted)
                let link = "<a id=\"action\" class=\"button primary\" href=\"https://store.example\(bank)\""
                for words in [
                    link, "rel=\"noopener noreferrer\"", "<h1 id=\"outcome\">Confirm at your bank</h1>",
                    "data-outcome=\"pending\"", "src=\"/sheet/pending.js\"",
                    "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>", "Don&#39;t buy this again",
                ] {
                    #expect(page.text.contains(words), "\(words)")
                }
                #expect(page.headers[.cacheControl] == "no-store")
            }
            #expect(try await client.get("/sheet/pending.js").text.contains("location.replace"))

            let question = try await client.get(bank)
            for words in ["Sandbox bank", "Environment: Sandbox", "$0.99", "id=\"confirm\"", "id=\"decline\""] {
                #expect(question.text.contains(words), "\(words)")
            }
            #expect(try await client.post(bank, "decision=dance").status == .badRequest)
            let foreign = try await client.post(
                bank, "decision=confirm", headers: HTTPFields.script.merging(cookie: "", site: "cross-site"))
            #expect(foreign.status == .forbidden)
            #expect(try await client.post(bank, "decision=confirm").text.contains("Confirmed"))

            let result = try await client.get(sheet)
            #expect(result.status == .ok && result.text.contains("Purchased"))
            #expect(try await client.get(bank).text.contains("Already answered"))
            #expect(try await client.post(bank, "decision=decline").status == .conflict)
            #expect(try await store.ledger() == [990])
        }
    }

    @Test(
        "A payment without an action shows that the bank is asked, and a decline offers to buy again",
        arguments: Engine.servers)
    func declined(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await answer(store, hasAction: false)
            let (sheet, page) = try await buy(store, client)
            #expect(page.status == .accepted)
            #expect(page.text.contains("Waiting for your bank") && !page.text.contains("id=\"action\""))
            #expect(try await client.get(try await bank(store)).status == .notFound)

            let pending = try #require(try await ListingPayments(store.context)().first)
            try await store.service.answer(pending.payment.number, isConfirmed: false)

            let again = try await client.get(sheet)
            #expect(again.status == .ok)
            #expect(again.text.contains("The card was declined.") && again.text.contains("id=\"buy\""))
        }
    }

    @Test("A script gets the action's address, and the result after it", arguments: Engine.servers)
    func script(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await answer(store, hasAction: true)
            let (sheet, bought) = try await buy(store, client, headers: .script)
            #expect(bought.status == .accepted)
            let bank = try await bank(store)
            #expect(try bought.object()["outcome"] as? String == "pending")
            #expect(try bought.object()["action"] as? String == "https://store.example\(bank)")
            let expires = (store.clock.now + .seconds(3600)).milliseconds
            #expect((try bought.object()["expires"] as? NSNumber)?.int64Value == expires)

            let confirmed = try await client.post(bank, "decision=confirm", headers: .script)
            #expect(try confirmed.object()["outcome"] as? String == "confirmed")

            let result = try await client.get(sheet, headers: .script)
            #expect(result.status == .ok)
            #expect(try result.object()["outcome"] as? String == "purchased")
        }
    }

    @Test(
        "The page of a payment that wasn't confirmed in time says that nothing was charged", arguments: Engine.servers)
    func expired(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await answer(store, hasAction: true)
            let (sheet, _) = try await buy(store, client)
            let bank = try await bank(store)

            store.clock.advance(by: .seconds(3600))
            #expect(try await client.post(bank, "decision=confirm").text.contains("not confirmed in time"))
            try await RecoveringPayments(store.context)(begunUntil: store.clock.now)

            let page = try await client.get(sheet)
            #expect(page.status.code == 402)
            #expect(page.text.contains("Declined") && page.text.contains("not confirmed in time. Nothing was charged."))
            let form = try await client.post(sheet, "decision=buy", headers: .script)
            #expect(form.code == "declined")
        }
    }

    @Test("A provider's address that isn't a page's is not shown", arguments: Engine.servers)
    func unsafeAddress(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await answer(store, hasAction: true)
            let (sheet, _) = try await buy(store, client)
            for (address, link) in [
                ("javascript:alert(1)", nil), ("data:text/html,x", nil),
                ("https://bank.example/3ds?a=1&b=\"2", "href=\"https://bank.example/3ds?a=1&amp;b=&quot;2\""),
            ] {
                try await store.context.write(.key("test")) { db in
                    try db.run("UPDATE payment SET action_address = $1", [address])
                }

                let page = try await client.get(sheet)

                #expect(page.text.contains(link ?? "Waiting for your bank"), "\(address)")
                #expect(page.text.contains("id=\"action\"") == (link != nil), "\(address)")
            }
        }
    }

    @Test(
        "A reserved payment is under way for its customer when the store can't read its sheet again",
        arguments: Engine.servers, [HTTPFields(), .script])
    func unreadable(engine: Engine, headers: HTTPFields) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = OverloadedDatabase(opened)
            let store = try await TestStore(
                database, faults: { if $0 == "authorise:after" { database.refuse(after: 0) } })
            try await store.withHTTP { client in
                try await answer(store, hasAction: true)

                let (sheet, page) = try await buy(store, client, headers: headers)

                #expect(database.recover())
                #expect(page.status == .accepted)
                #expect(page.text.contains("under-way") && !page.text.contains("id=\"message\""))
                // The page asks the store again, and then shows the bank's part.
                let state = try await client.get(sheet, headers: .script)
                #expect(try state.object()["outcome"] as? String == "pending")
                #expect(try await store.count("payment", where: "status = 'pending'") == 1)
            }
        }
    }
}
