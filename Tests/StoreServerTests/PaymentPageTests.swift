// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreServer
import StoreService
import StoreTestSupport
import Testing

/// The page on which customers keep their payment methods, and the choice of
/// one on the sheet.
struct PaymentPageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    private static func form(_ account: Account, _ rest: String) -> String {
        "email=\(account.email)&password=\(password)&\(rest)"
    }

    private struct Listed: Decodable {
        struct Method: Decodable {
            var method: String
            var kind: String
            var digits: String
            var isPreferred: Bool
            var expires: Int64?
        }

        var methods: [Method]
    }

    private static func methods(_ answer: TestResponse) throws -> [Listed.Method] {
        try JSONDecoder().decode(Listed.self, from: Data(answer.text.utf8)).methods
    }

    @Test("A customer adds, prefers and removes methods", arguments: Engine.servers)
    func changes(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            func post(_ rest: String) async throws -> TestResponse {
                store.clock.advance(by: .milliseconds(1))
                return try await client.post("/account/payment", Self.form(anna, rest), headers: .script)
            }
            #expect(try Self.methods(try await post("decision=show")).isEmpty)
            _ = try await post("decision=add&card=declined")
            let two = try Self.methods(try await post("decision=add&card=expiring"))
            #expect(two.map(\.digits) == ["0002", "0004"] && two.map(\.isPreferred) == [true, false])
            #expect(two.map { $0.expires != nil } == [false, true] && two.map(\.kind) == ["card", "card"])
            let page = try await client.post("/account/payment", Self.form(anna, "decision=show"))
            #expect(page.text.contains("Sandbox •••• 0002") && page.text.contains("Preferred"))

            let preferred = try Self.methods(try await post("decision=prefer&method=\(two[1].method)"))
            #expect(preferred.map(\.isPreferred) == [false, true])
            let removed = try Self.methods(try await post("decision=remove&method=\(two[1].method)"))
            #expect(removed.map(\.isPreferred) == [true])
            let again = try await post("decision=remove&method=\(two[1].method)")
            #expect(again.status == .notFound && again.code == "not-found")
            for card in ["", "4242424242424242"] {
                let refused = try await post("decision=add&card=\(card)")
                #expect(refused.status == .badRequest && refused.code == "invalid")
            }
        }
    }

    @Test("A store of production offers no test cards", arguments: [Engine.sqliteMemory])
    func production(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            let anna = try await store.addAccount()
            try await store.withHTTP { client in
                let page = try await client.post("/account/payment", Self.form(anna, "decision=show"))
                #expect(page.status == .ok && !page.text.contains("value=\"accepted\""))
                let refused = try await client.post(
                    "/account/payment", Self.form(anna, "decision=add&card=accepted"), headers: .script)
                #expect(refused.status == .badRequest && refused.code == "invalid")
            }
        }
    }

    @Test(
        "The sheet shows the methods to a customer whose password was checked, and to no app", arguments: Engine.servers
    )
    func sheet(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("pear", request: "first", as: anna)
            let declined = try await store.addMethod(.declined, to: anna)
            let accepted = try await store.addMethod(.accepted, to: anna)
            let sheet = "/sheet/\(try phone.token(try await phone.ask("apple", request: "r").sheet))"

            let unknown = try await client.get(sheet)
            #expect(unknown.text.contains("preferred payment method") && unknown.text.contains("id=\"methods\""))
            #expect(!unknown.text.contains("0002") && !unknown.text.contains(declined))

            let choice = try await client.post(sheet, Self.form(anna, "decision=methods"))
            #expect(choice.status == .ok && choice.text.contains("Sandbox •••• 0002"))
            #expect(choice.text.contains("value=\"\(declined)\" selected"))
            // With the new session the password isn't typed again.
            #expect(choice.text.contains("Typed a moment ago; not needed again"))

            let refused = try await client.post(sheet, Self.form(anna, "decision=buy&method=\(declined)"))
            #expect(refused.status.code == 402 && refused.text.contains("value=\"\(accepted)\""))
            let strange = try await client.post(
                sheet, Self.form(anna, "decision=buy&method=unknown"), headers: .script)
            #expect(strange.status == .conflict && strange.code == "price-changed")
            let bought = try await client.post(
                sheet, Self.form(anna, "decision=buy&method=\(accepted)"), headers: .script)
            #expect(bought.status == .ok)
            #expect(try await phone.queue().count == 2)
        }
    }

    @Test("A sheet of an account without a method has a link to the page that adds one", arguments: Engine.servers)
    func none(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let changing = ChangingPaymentMethods(store.context)
            let method = PaymentMethodIdentifier(try await store.addMethod(.accepted, to: anna))
            _ = try await changing.remove(method, of: anna.identifier)
            let sheet = "/sheet/\(try phone.token(try await phone.ask("apple", request: "r").sheet))"

            let refused = try await client.post(sheet, Self.form(anna, "decision=buy"))

            #expect(refused.status.code == 402 && refused.text.contains("id=\"no-method\""))
            #expect(refused.text.contains("href=\"/account/payment\""))
            _ = try await store.addMethod(.accepted, to: anna)
            #expect(try await client.post(sheet, Self.form(anna, "decision=buy")).status == .ok)
        }
    }

    @Test("The remote control lists, adds, prefers and removes methods", arguments: Engine.servers)
    func control(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            func call(_ verb: Control.Verb, _ message: some Encodable) async throws -> [Control.PaymentMethodAnswer] {
                store.clock.advance(by: .milliseconds(1))
                let answer = try await store.service.control(verb, try JSONEncoder().encode(message))
                return try JSONDecoder().decode(Control.PaymentMethodsAnswer.self, from: answer).methods
            }
            _ = try await call(.addPaymentMethod, Control.AddPaymentMethodCall(email: anna.email, card: "bank"))
            let two = try await call(
                .addPaymentMethod, Control.AddPaymentMethodCall(email: anna.email, card: "accepted", isPreferred: true))
            #expect(two.map(\.isPreferred) == [false, true] && two.map(\.digits) == ["0003", "0001"])
            let first = Control.PaymentMethodCall(email: anna.email, method: two[0].method)
            #expect(try await call(.preferPaymentMethod, first).map(\.isPreferred) == [true, false])
            #expect(try await call(.removePaymentMethod, first).map(\.digits) == ["0001"])
            let left = try await call(.paymentMethods, Control.PaymentMethodsCall(email: anna.email))
            #expect(left.map(\.isPreferred) == [true])
        }
    }
}

extension TestStore {
    /// Adds a method to an account, and returns its identifier.
    func addMethod(_ method: SandboxMethod, to account: Account) async throws -> String {
        let changing = ChangingPaymentMethods(context)
        let before = try await changing.list(of: account.identifier).methods
        clock.advance(by: .milliseconds(1))
        let after = try await changing.add(method, to: account.identifier).methods
        return try #require(after.first { !before.contains($0) }?.identifier.rawValue)
    }
}
