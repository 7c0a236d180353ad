// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The terms on the page `/account/family`: the parent reads them, and approves
/// nothing else.
struct FamilyTermsTests {
    private static let path = "/account/family"
    private static let password = TestStore.password.replacing(" ", with: "+")
    private static let bundle = BundleIdentifier(TestStore.bundleIdentifier)

    /// A parent and a child with a phone, in a store with magazines.
    private struct Home: Sendable {
        let store: TestStore
        let olga: Account
        let carl: Account
        let phone: TestDevice
        let client: any TestClientProtocol

        func ask(_ product: String, _ request: String = "r") async throws {
            #expect(try await phone.ask(product, request: request).status == .deferred)
        }

        func setPrice(_ product: ProductIdentifier, _ price: String) async throws {
            try await store.service.setPrice(product: product, of: bundle, in: nil, to: price)
        }

        /// The page in a language.
        func page(_ language: String = "en") async throws -> String {
            try await post("decision=show", [.acceptLanguage: language]).text
        }

        func post(_ form: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
            try await client.post(path, "email=\(olga.email)&password=\(password)&\(form)", headers: headers)
        }

        /// Presses the button of the only request on a page.
        func approve(on page: String) async throws -> TestResponse {
            try await post("decision=approve&\(try fields(page))")
        }

        /// The hidden fields of the only request's form.
        private func fields(_ page: String) throws -> String {
            let start = try #require(page.range(of: "class=\"card request\"")).upperBound
            let form = page[start...].prefix { _ in true }.components(separatedBy: "</form>")[0]
            return form.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)">/)
                .filter { $0.1 != "email" }.map { "\($0.1)=\($0.2.replacing(" ", with: "+"))" }.joined(separator: "&")
        }
    }

    private func withHome(
        _ engine: Engine, _ body: @Sendable @escaping (Home) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellMagazines()
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            let phone = try await store.addDevice()
            let answer = try await phone.call(
                ReceiptCall(
                    requestIdentifier: "sign-in", bundleIdentifier: TestStore.bundleIdentifier,
                    applicationVersion: "1", mayAskToSignIn: true))
            try await store.service.signIn(onSheet: try phone.token(answer.sheet), as: carl)
            _ = try await ChangingFamily(store.context).begin(organiser: olga.email)
            _ = try await ChangingFamily(store.context).add(carl.email, as: .child, organiser: olga.email)
            try await body(Home(store: store, olga: olga, carl: carl, phone: phone, client: client))
        }
    }

    @Test("A parent reads the price after a free trial, in the own language", arguments: Engine.servers)
    func trial(engine: Engine) async throws {
        try await withHome(engine) { home in
            try await home.ask("club")
            for (language, text) in [
                ("en", "1 week free, then $9.99 per month from "),
                ("de", "1 Woche kostenlos, dann 9,99 $ pro Monat ab dem "),
                ("fr", "Gratuit pendant 1 semaine, puis 9,99 $US par mois à partir du "),
            ] {
                let page = try await home.page(language)
                #expect(page.contains(text), "\(page)")
                for free in ["Free of charge.", "Kostenlos.", "Gratuit."] { #expect(!page.contains(free)) }
            }
            let page = try await home.page()
            #expect(try await home.approve(on: page).status == .ok)
            #expect(try await home.phone.ask("club", request: "r").status == .purchased)
        }
    }

    @Test(
        "A trial whose later price has risen meanwhile isn't approved, and the page has the new one",
        arguments: Engine.servers)
    func changedTrial(engine: Engine) async throws {
        try await withHome(engine) { home in
            try await home.ask("club")
            let page = try await home.page()
            try await home.setPrice("club", "99.99")

            let refused = try await home.approve(on: page)

            #expect(refused.status == .conflict && refused.text.contains("then $99.99 per month from "))
            #expect(try await home.phone.ask("club", request: "r").status == .deferred)
            #expect(try await home.approve(on: refused.text).status == .ok)
            #expect(try await home.phone.ask("club", request: "r").status == .purchased)
        }
    }

    @Test("A form that doesn't have the terms approves no subscription", arguments: Engine.servers)
    func withoutTerms(engine: Engine) async throws {
        try await withHome(engine) { home in
            try await home.ask("club")
            let number = try await home.store.onlyUndecided()

            let refused = try await home.post("decision=approve&request=\(number)&shown=0+USD")

            #expect(refused.status == .conflict)
            #expect(try await home.phone.ask("club", request: "r").status == .deferred)
        }
    }

    @Test("A form with later prices and without the consequence of the choice is refused", arguments: Engine.servers)
    func withoutChange(engine: Engine) async throws {
        try await withHome(engine) { home in
            try await home.ask("club")
            let number = try await home.store.onlyUndecided()
            let form = "decision=approve&request=\(number)&shown=0+USD&then=9990+USD+P1M"
            #expect(try await home.post(form).status == .badRequest)
            #expect(try await home.phone.ask("club", request: "r").status == .deferred)
        }
    }

    @Test(
        "A parent reads the price of a plan at the next renewal, and its price and date are compared",
        arguments: Engine.servers)
    func plan(engine: Engine) async throws {
        try await withHome(engine) { home in
            try await home.ask("monthly", "first")
            #expect(try await home.approve(on: home.page()).status == .ok)
            try await home.ask("yearly")
            let page = try await home.page()
            #expect(page.contains("$49.99 per year. It begins on ") && page.contains("Nothing is charged now."))
            try await home.setPrice("yearly", "99.99")

            let refused = try await home.approve(on: page)

            #expect(refused.status == .conflict && refused.text.contains("$99.99 per year. It begins on "))
            // A month later the plan would begin later.
            home.store.clock.advance(by: .seconds(32 * 86_400))
            await home.store.service.renewSubscriptions()
            let later = try await home.approve(on: refused.text)
            #expect(later.status == .conflict)
            #expect(try await home.approve(on: later.text).status == .ok)
            let managed = try await home.store.service.managedSubscriptions(of: home.carl)
            #expect(managed.first?.state.nextProduct == "yearly")
        }
    }

    @Test("A parent reads both prices of an increase, and agrees to them", arguments: Engine.servers)
    func increase(engine: Engine) async throws {
        try await withHome(engine) { home in
            try await home.ask("monthly", "first")
            #expect(try await home.approve(on: home.page()).status == .ok)
            try await SchedulingPriceChange(home.store.context)(
                SchedulingPriceChange.Order("monthly", of: Self.bundle, price: "12.99", subscribers: .change))
            await home.store.service.applyPriceChanges()
            let original = try #require(try await home.store.service.managedSubscriptions(of: home.carl).first)
                .subscription.original
            let child = try await home.client.post(
                "/account/subscriptions",
                "email=\(home.carl.email)&password=\(Self.password)&decision=agree&subscription=\(original)")
            #expect(child.status == .ok && child.text.contains("Another person has to approve this first."))

            let page = try await home.page()
            #expect(page.contains("You pay $4.99 per month. The price becomes $12.99 per month, with the period"))
            #expect(try await home.approve(on: page).status == .ok)
            let state = try await home.store.service.managedSubscriptions(of: home.carl).first?.state
            #expect(state?.priceIncrease?.isAgreed == true)
        }
    }
}
