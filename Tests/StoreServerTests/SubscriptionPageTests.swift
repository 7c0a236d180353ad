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

/// The sheet of a subscription, and the page *Manage subscriptions*.
struct SubscriptionPageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")
    private static let page = "/account/subscriptions"

    private static func form(_ account: Account, _ rest: String) -> String {
        "email=\(account.email)&password=\(password)&\(rest)"
    }

    /// A store with magazines, a customer, a phone, and a client.
    private func withMagazines(
        _ engine: Engine, _ body: @Sendable @escaping (Magazines, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await engine.withHTTP { store, client in
            try await store.sellMagazines()
            let shop = Magazines(store: store, anna: try await store.addAccount(), phone: try await store.addDevice())
            try await body(shop, client)
        }
    }

    @Test("The sheet says the terms of a subscription before Buy", arguments: Engine.servers)
    func terms(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let page = try await client.get("/sheet/\(shop.sheet("monthly"))")

            for text in [
                "$4.99 per month. The first period is from ", " UTC.", "It renews at the end of each period until",
                "Manage subscriptions", "name=\"change\" value=\"subscribe\"", "value=\"4990 USD\"",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }
            let apple = try await client.get("/sheet/\(shop.sheet("apple"))")
            #expect(!apple.text.contains("id=\"terms\"") && !apple.text.contains("id=\"share\""))
        }
    }

    @Test("The sheet says how many cheap periods are left", arguments: Engine.servers)
    func offers(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let first = try await client.get("/sheet/\(shop.sheet("paper"))")
            #expect(first.text.contains("$0.99 per month for 3 months, then $2.99 per month from "))
            #expect(first.text.contains("value=\"990 USD\""))
            #expect(first.text.contains("name=\"offer\" value=\"introductory"))
            try await shop.buy("paper")
            let running = try await client.get("/sheet/\(shop.sheet("paper"))")
            #expect(running.text.contains("$0.99 per month for 2 months, then $2.99 per month from "))
            #expect(running.text.contains("value=\"keep\"") && !running.text.contains("The offer begins"))
        }
    }

    @Test("The sheet says the terms in the customer's language, which its paragraphs name", arguments: Engine.servers)
    func language(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let path = "/sheet/\(try await shop.sheet("monthly"))"

            let german = try await client.get(path, headers: [.acceptLanguage: "da, de-CH;q=0.9, fr;q=0.8"])
            #expect(german.text.contains("<p lang=\"de\">4,99 $ pro Monat. Der erste Abrechnungszeitraum läuft vom "))
            #expect(german.text.contains("<span lang=\"de\" dir=\"auto\">Meinen Namen, "))
            let english = try await client.get(path)
            #expect(english.text.contains("<p lang=\"en\">$4.99 per month. "))
        }
    }

    @Test("The sheet says how much an upgrade gives back, and when a downgrade begins", arguments: Engine.servers)
    func changes(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let better = try await client.get("/sheet/\(shop.sheet("better"))")
            #expect(better.text.contains("It begins now and replaces your current subscription."))
            #expect(better.text.contains("You get back $4.99"))
            #expect(better.text.contains("name=\"change\" value=\"upgrade\""))
            let yearly = try await client.get("/sheet/\(shop.sheet("yearly"))")
            #expect(yearly.text.contains("$49.99 per year. It begins on "))
            #expect(yearly.text.contains("Nothing is charged now."))
            let monthly = try await client.get("/sheet/\(shop.sheet("monthly"))")
            #expect(monthly.text.contains("Its renewal stays on.") && monthly.text.contains("value=\"keep\""))
        }
    }

    @Test(
        "The last page says when a plan changes, and that nothing was charged, also when it is loaded again",
        arguments: Engine.servers,
        [("yearly", "choose", "Your plan changes on"), ("monthly", "keep", "Your subscription renews on")])
    func laterChange(engine: Engine, asked: (product: String, change: String, title: String)) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let sheet = try await shop.sheet(asked.product)

            let page = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy&change=\(asked.change)"))

            let again = try await client.get("/sheet/\(sheet)")
            for page in [page, again] {
                #expect(page.status == .ok)
                #expect(page.text.contains("\(asked.title) ") && page.text.contains(" UTC</h1>"))
                #expect(page.text.contains("Nothing was charged.") && !page.text.contains("Purchased"))
            }
            #expect(try await shop.store.ledger() == [4990])
            let upgrade = try await client.post(
                "/sheet/\(shop.sheet("better"))", Self.form(shop.anna, "decision=buy&change=upgrade"))
            #expect(upgrade.text.contains("Purchased"))
        }
    }

    @Test("The page shows a higher price, and takes the customer's answer", arguments: Engine.servers)
    func increase(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let before = try await client.post(Self.page, Self.form(shop.anna, "decision=show"))
            #expect(!before.text.contains("value=\"agree\""))
            try await SchedulingPriceChange(shop.store.context)(
                SchedulingPriceChange.Order(
                    "monthly", of: BundleIdentifier(TestStore.bundleIdentifier), price: "12.99", subscribers: .change))
            await shop.store.service.applyPriceChanges()

            let asked = try await client.post(Self.page, Self.form(shop.anna, "decision=show"))
            #expect(asked.text.contains("The price rises from $4.99 to $12.99 per month on "))
            #expect(asked.text.contains("value=\"agree\"") && asked.text.contains("value=\"disagree\""))
            let original = try #require(try await shop.store.service.managedSubscriptions(of: shop.anna).first)
                .subscription.original
            for (decision, words) in [("agree", "You have agreed to it."), ("disagree", "It doesn't renew.")] {
                let page = try await client.post(
                    Self.page, Self.form(shop.anna, "subscription=\(original)&decision=\(decision)"))
                #expect(page.status == .ok && !page.text.contains("value=\"agree\""))
                #expect(page.text.replacing("&#39;", with: "'").contains(words), "\(page.text)")
            }
        }
    }

    @Test(
        "The sheet of the running plan has the higher price that waits, in its heading and with its date",
        arguments: Engine.servers, ["", "disagree", "renewal-off"])
    func waitingIncrease(engine: Engine, answer: String) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            try await SchedulingPriceChange(shop.store.context)(
                SchedulingPriceChange.Order(
                    "monthly", of: BundleIdentifier(TestStore.bundleIdentifier), price: "12.99", subscribers: .change))
            await shop.store.service.applyPriceChanges()
            if !answer.isEmpty {
                let form = "subscription=\(try await shop.original())&decision=\(answer)"
                #expect(try await client.post(Self.page, Self.form(shop.anna, form)).status == .ok)
            }
            let page = try await client.get("/sheet/\(shop.sheet("monthly"))")
            #expect(page.text.contains("class=\"price\"><bdi>$12.99</bdi>"))
            #expect(
                page.text.contains(
                    "You pay $4.99 per month. The price becomes $12.99 per month, with the period that begins on "))
            #expect(!page.text.contains("<p lang=\"en\">$4.99 per month."))
            // The account's page shows it before the renewal is turned on.
            let list = try await client.post(Self.page, Self.form(shop.anna, "decision=show"))
            #expect(list.text.contains("The price rises from $4.99 to $12.99 per month on "))
        }
    }

    @Test(
        "A plan, a renewal and an increase of the page of subscriptions are agreed to as the page has shown them",
        arguments: Engine.servers)
    func choiceTerms(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let original = try await shop.original()
            func terms() async throws -> String {
                let list = try await client.post(Self.page, Self.form(shop.anna, "decision=show"))
                let field = String(try #require(list.text.firstMatch(of: /name="terms" value="([^"]*)"/)).1)
                return field.replacing(" ", with: "+").replacing(";", with: "%3B").replacing("&#61;", with: "=")
                    .replacing("=", with: "%3D")
            }
            func press(_ button: String, _ terms: String) async throws -> HTTPResponse.Status {
                try await client.post(
                    Self.page, Self.form(shop.anna, "subscription=\(original)&\(button)&terms=\(terms)")
                ).status
            }
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)
            let before = try await terms()
            try await shop.store.service.setPrice(product: "yearly", of: bundle, in: nil, to: "99.99")
            #expect(try await press("product=yearly", before) == .conflict)
            #expect(try await shop.state().nextProduct == "monthly")
            // Another price doesn't concern the choice that is made.
            let dearer = try await terms()
            #expect(try await press("product=yearly", dearer) == .ok)
            #expect(try await press("product=monthly", try await terms()) == .ok)

            #expect(try await press("decision=renewal-off", "") == .ok)
            let off = try await terms()
            try await SchedulingPriceChange(shop.store.context)(
                SchedulingPriceChange.Order("monthly", of: bundle, price: "12.99", subscribers: .change))
            await shop.store.service.applyPriceChanges()
            #expect(try await press("decision=renewal-on", off) == .conflict)
            #expect(try await press("decision=renewal-on", try await terms()) == .ok)
            #expect(try await shop.state().priceIncrease?.isAgreed == true)

            #expect(try await press("decision=disagree", "") == .ok)
            let refused = try await terms()
            #expect(try await press("decision=agree", refused) == .conflict)
            #expect(try await shop.state().priceIncrease?.isAgreed == false)
        }
    }

    @Test(
        "A form whose terms aren't the account's is refused, and the page shows the right ones",
        arguments: Engine.servers)
    func otherTerms(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let sheet = try await shop.sheet("better")

            let page = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy&shown=9990+USD&change=subscribe"))
            #expect(page.status == .conflict)
            #expect(page.text.contains("id=\"message\"") && page.text.contains("value=\"upgrade\""))
            let unknown = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy&change=dance"), headers: .script)
            #expect(unknown.code == "invalid")
            #expect(try await shop.store.ledger() == [4990])
            let bought = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy&shown=9990+USD&change=upgrade"), headers: .script)
            #expect(bought.status == .ok)
            #expect(try await shop.store.ledger() == [9990, 4990, -4990])
        }
    }

    @Test(
        "The sheet offers a longer period for a contact, and shares only with a checked box", arguments: Engine.servers)
    func contact(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let sheet = try await shop.sheet("monthly")
            let page = try await client.get("/sheet/\(sheet)")
            #expect(page.text.contains("The first period is then 1 month longer, until "))
            #expect(page.text.contains("id=\"share\"") && !page.text.contains(" checked"))
            let values = "name=Anna+%3CAst%3E&contactEmail=&postcode="

            let incomplete = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy&share=yes&\(values)"))
            #expect(incomplete.status == .badRequest)
            #expect(incomplete.text.contains("Type the postcode to share") && incomplete.text.contains(" checked"))
            #expect(incomplete.text.contains("value=\"Anna &lt;Ast&gt;\""))
            #expect(try await shop.store.count("payment") == 0)
            let bought = try await client.post(
                "/sheet/\(sheet)", Self.form(shop.anna, "decision=buy&share=yes&\(values)1010"), headers: .script)
            #expect(bought.status == .ok)

            let listed = try await ListingContacts(shop.store.context)(of: BundleIdentifier(TestStore.bundleIdentifier))
            #expect(listed.map(\.contact.name) == ["Anna <Ast>"])
            #expect(listed.map(\.contact.email) == [shop.anna.email])
        }
    }

    @Test("A longer period that has become shorter since the page was shown is shown again", arguments: Engine.servers)
    func otherBonus(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let sheet = try await shop.sheet("monthly")
            #expect(try await client.get("/sheet/\(sheet)").text.contains("name=\"bonus\" value=\"P1M\""))
            try await shop.store.sellMagazines(bonus: "P1W")
            let form = "decision=buy&share=yes&name=Anna&contactEmail=&postcode=1010&bonus="

            let refused = try await client.post("/sheet/\(sheet)", Self.form(shop.anna, form + "P1M"))

            #expect(refused.status == .conflict && refused.text.contains("The first period is then 1 week longer"))
            #expect(try await shop.store.ledger() == [])
            let bought = try await client.post("/sheet/\(sheet)", Self.form(shop.anna, form + "P1W"), headers: .script)
            #expect(bought.status == .ok)
        }
    }

    @Test("A customer who doesn't check the box shares nothing", arguments: Engine.servers)
    func unchecked(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let bought = try await client.post(
                "/sheet/\(shop.sheet("monthly"))",
                Self.form(shop.anna, "decision=buy&name=Anna&contactEmail=&postcode=1010"), headers: .script)
            #expect(bought.status == .ok)
            #expect(try await shop.store.count("shared_contact") == 0)
        }
    }

    @Test("The seller's contacts are listed over the control routes")
    func contactsRoute() async throws {
        try await Engine.sqliteMemory.withStore { store in
            try await store.sellMagazines()
            let shop = Magazines(store: store, anna: try await store.addAccount(), phone: try await store.addDevice())
            let contact = try SharedContact(name: "Anna", email: "a@example.org", postcode: "1", of: shop.anna)
            _ = try await store.service.buy(
                onSheet: shop.sheet("monthly"), as: shop.anna, shown: nil, contact: contact)

            let first = try await store.service.control(
                .subscriptionContacts, Data("{\"bundle\": \"\(TestStore.bundleIdentifier)\"}".utf8))
            let answer = try JSONDecoder().decode(Control.ContactsAnswer.self, from: first)
            #expect(answer.contacts.map(\.email) == ["a@example.org"])
            let next = try JSONEncoder().encode(
                Control.ContactsCall(bundle: TestStore.bundleIdentifier, after: answer.contacts.last?.place))
            let rest = try JSONDecoder().decode(
                Control.ContactsAnswer.self, from: try await store.service.control(.subscriptionContacts, next))
            #expect(rest.contacts.isEmpty)
            await #expect(throws: StoreFailure.self) {
                _ = try await store.service.control(.subscriptionContacts, Data("{\"bundle\": \"none\"}".utf8))
            }
        }
    }

    @Test("The page asks for the password, and then lists the subscriptions", arguments: Engine.servers)
    func signIn(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")

            let first = try await client.get(Self.page)
            #expect(first.status == .ok && first.text.contains("id=\"sign-in\""))
            #expect(first.headers[.cacheControl] == "no-store")
            #expect(try await client.get(Self.page, headers: .script).status == .unauthorized)
            let wrong = try await client.post(Self.page, "email=\(shop.anna.email)&password=no&decision=show")
            #expect(wrong.status == .unauthorized && wrong.text.contains("id=\"message\""))
            #expect(!wrong.text.contains("subscription\" aria-label"))

            let list = try await client.post(Self.page, Self.form(shop.anna, "decision=show"))
            #expect(list.status == .ok && list.headers[.setCookie]?.hasPrefix("__Host-") == true)
            for text in [
                "monthly", "It renews then for $4.99.", "value=\"renewal-off\"", "name=\"product\" value=\"yearly\"",
                "$9.99 per month, from now on: buy it in the app", "value=\"sign-out\"",
            ] {
                #expect(list.text.contains(text), "\(text)")
            }
            #expect(
                !list.text.contains("type=\"password\"") && !list.text.contains("name=\"product\" value=\"better\""))
        }
    }

    @Test(
        "A browser's session turns the renewal off and on and chooses a plan, on the same origin",
        arguments: Engine.servers)
    func answers(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let session = try await shop.session(client)
            let original = try await shop.original()
            func send(_ form: String, origin: String = "https://store.example") async throws -> TestResponse {
                try await client.post(
                    Self.page, "subscription=\(original)&\(form)", headers: [.cookie: session, .origin: origin])
            }

            let elsewhere = try await send("decision=renewal-off", origin: "https://evil.example")
            #expect(elsewhere.status == .forbidden)
            let without = try await client.post(
                Self.page, "subscription=\(original)&decision=renewal-off", headers: [.cookie: session])
            #expect(without.status == .unauthorized)
            #expect(try await shop.state().renews)
            let off = try await send("decision=renewal-off")
            #expect(off.text.contains("The renewal is turned off.") && off.text.contains("It doesn&#39;t renew."))
            #expect(try await !shop.state().renews)
            #expect(try await send("decision=renewal-on").text.contains("The renewal is turned on."))
            #expect(try await send("product=yearly").text.contains("The plan is changed."))
            #expect(try await shop.state().nextProduct == "yearly")
            let upgrade = try await send("product=better")
            #expect(upgrade.status == .badRequest && upgrade.text.contains("buy it in the app"))
            #expect(try await send("decision=dance").status == .badRequest)
            #expect(try await shop.store.ledger() == [4990])
        }
    }

    @Test("A browser's session ends the sharing with the family, and begins it again", arguments: Engine.servers)
    func sharing(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("paper")
            let session = try await shop.session(client)
            let original = try await shop.original()
            func send(_ form: String) async throws -> TestResponse {
                try await client.post(
                    Self.page, "subscription=\(original)&\(form)",
                    headers: [.cookie: session, .origin: "https://store.example"])
            }

            #expect(try await send("decision=show").text.contains("value=\"sharing-off\""))
            let off = try await send("decision=sharing-off")
            #expect(off.status == .ok && off.text.contains("value=\"sharing-on\""))
            #expect(!off.text.contains("value=\"sharing-off\""))
            #expect(try await send("decision=sharing-on").text.contains("value=\"sharing-off\""))
            #expect(try await shop.store.ledger() == [990])
        }
    }

    @Test(
        "A script reads the list in JSON, and no other account's subscription can be changed", arguments: Engine.servers
    )
    func scripts(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            try await shop.buy("monthly")
            let berta = try await shop.store.addAccount("berta@example.com")
            let original = try await shop.original()

            let list = try await client.post(Self.page, Self.form(shop.anna, "decision=show"), headers: .script)
            let subscriptions = try #require(try list.object()["subscriptions"] as? [[String: Any]])
            #expect(subscriptions.map { $0["subscription"] as? String } == [original])
            #expect(subscriptions.first?["renews"] as? Bool == true)
            let stranger = try await client.post(
                Self.page, Self.form(berta, "subscription=\(original)&decision=renewal-off"), headers: .script)
            #expect(stranger.status == .notFound)
            #expect(try await shop.state().renews)
        }
    }

    @Test("Signing out ends the browser's session", arguments: Engine.servers)
    func signOut(engine: Engine) async throws {
        try await withMagazines(engine) { shop, client in
            let session = try await shop.session(client)
            #expect(try await client.get(Self.page, headers: [.cookie: session]).text.contains("no subscriptions"))

            let out = try await client.post(
                Self.page, "decision=sign-out", headers: [.cookie: session, .origin: "https://store.example"])

            #expect(out.text.contains("id=\"sign-in\"") && out.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await client.get(Self.page, headers: [.cookie: session]).text.contains("id=\"sign-in\""))
            #expect(try await shop.store.count("sheet_session") == 0)
        }
    }
}

/// A store with magazines, and a customer with a phone.
struct Magazines: Sendable {
    let store: TestStore
    let anna: Account
    let phone: TestDevice

    /// The token of a new sheet for a product.
    func sheet(_ product: String) async throws -> String {
        try phone.token(try await phone.ask(product, request: UUID().uuidString).sheet)
    }

    func buy(_ product: String) async throws {
        _ = try await store.service.buy(onSheet: sheet(product), as: anna, shown: nil)
    }

    /// The number of the only subscription.
    func original() async throws -> String {
        let all = try await store.service.managedSubscriptions(of: anna)
        return try #require(all.first).subscription.original.rawValue
    }

    /// The state of the only subscription.
    func state() async throws -> SubscriptionState {
        try #require(try await store.service.managedSubscriptions(of: anna).first).state
    }

    /// Signs in on the page, and returns the cookie as a browser sends it.
    func session(_ client: any TestClientProtocol) async throws -> String {
        let password = TestStore.password.replacing(" ", with: "+")
        let page = try await client.post(
            "/account/subscriptions", "email=\(anna.email)&password=\(password)&decision=show")
        return String(try #require(page.headers[.setCookie]).prefix { $0 != ";" })
    }
}

extension TestStore {
    /// Sells magazines of one group; the monthly one gives a month for a
    /// contact.
    func sellMagazines(bonus: String = "P1M") async throws {
        func magazine(_ name: String, _ price: String, _ period: String, _ level: Int, _ more: String = "") -> String {
            """
            { "productID" : "\(name)", "referenceName" : "\(name)", "displayPrice" : "\(price)",
              "type" : "RecurringSubscription", "recurringSubscriptionPeriod" : "\(period)", "groupNumber" : \(level),
              "subscriptionGroupID" : "MAGAZINES", "localizations" : []\(more) }
            """
        }
        let offer = ", \"_openStoreKit\" : { \"sharesContact\" : { \"bonus\" : \"\(bonus)\" } }"
        let magazines = [
            magazine("better", "9.99", "P1M", 1), magazine("monthly", "4.99", "P1M", 2, offer),
            magazine("yearly", "49.99", "P1Y", 2),
        ]
        let cheap = """
            , "introductoryOffer" : { "internalID" : "1", "paymentMode" : "payAsYouGo", "displayPrice" : "0.99",
              "subscriptionPeriod" : "P1M", "numberOfPeriods" : 3 }
            """
        let trial = """
            , "introductoryOffer" : { "internalID" : "2", "paymentMode" : "free", "subscriptionPeriod" : "P1W" }
            """
        let club = magazine("club", "9.99", "P1M", 1, trial).replacing("MAGAZINES", with: "CLUBS")
        let shared = ", \"familyShareable\" : true"
        let paper = magazine("paper", "2.99", "P1M", 1, cheap + shared).replacing("MAGAZINES", with: "PAPERS")
        let file = Self.catalogue.replacing(
            "\"version\" :",
            with: """
                "subscriptionGroups" : [ { "id" : "PAPERS", "name" : "Papers", "localizations" : [],
                    "subscriptions" : [ \(paper) ] },
                    { "id" : "CLUBS", "name" : "Clubs", "localizations" : [], "subscriptions" : [ \(club) ] }, { "id" : "MAGAZINES", "name" : "Magazines", "localizations" : [],
                    "subscriptions" : [ \(magazines.joined(separator: ", ")) ] } ],
                "version" :
                """)
        let bundle = BundleIdentifier(Self.bundleIdentifier)
        try await ImportingCatalogue(context)(
            StoreKitConfigurationFile(Data(file.utf8), file: "magazines.storekit", bundleIdentifier: bundle),
            into: App(bundleIdentifier: bundle, name: "Fruit"))
    }
}
