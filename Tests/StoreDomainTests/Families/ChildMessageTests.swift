// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Messages to the parents of a child who asks to buy.
struct ChildMessageTests {
    private func withHome(
        _ engine: Engine, _ body: @Sendable @escaping (Household, RecordedMail) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mail = RecordedMail()
            try await body(try await Household(in: try await TestStore(database, mail: mail)), mail)
        }
    }

    @Test("Each parent gets one message, in the parent's language, with the page to answer", arguments: Engine.stores)
    func parents(engine: Engine) async throws {
        try await withHome(engine) { home, mail in
            try await home.store.service.change(account: home.paul.email, .init(locale: "de"))
            _ = try await home.ask("juice", request: "r")
            // The same request again.
            _ = try await home.phone.ask("juice", request: "r")
            for _ in 0..<2 { await home.store.sendMessages() }

            let messages = mail.messages.sorted { $0.recipient.text < $1.recipient.text }
            #expect(messages.map(\.recipient.text) == [home.olga.email, home.paul.email])
            #expect(messages.map(\.subject) == ["A request to buy", "Eine Kaufanfrage"])
            for message in messages {
                #expect(message.body.contains("https://store.example/account/family"))
                #expect(message.body.contains(home.carl.email) && message.body.contains("Juice"))
            }
        }
    }

    @Test("A message has the price, and the terms of a subscription", arguments: Engine.stores)
    func terms(engine: Engine) async throws {
        try await withHome(engine) { home, mail in
            try await home.store.sellOffers()
            try await home.store.service.change(account: home.paul.email, .init(locale: "de"))
            for product in ["juice", "small"] { _ = try await home.ask(product, request: product) }
            await home.store.sendMessages()

            func bodies(to parent: Account) -> String {
                mail.messages.filter { $0.recipient.text == parent.email }.map(\.body).joined()
            }
            let (english, german) = (bodies(to: home.olga), bodies(to: home.paul))
            #expect(english.contains("$0.49") && english.contains("1 week free, then $4.99 per month from "))
            #expect(german.contains("0,49 $") && german.contains("1 Woche kostenlos, dann 4,99 $ pro Monat ab dem "))
            // The program takes no more (ChildProgram).
            #expect(mail.messages.allSatisfy { $0.text.utf8.count < 2048 })
        }
    }

    @Test("A request that is answered before the message is sent needs none", arguments: Engine.stores)
    func answered(engine: Engine) async throws {
        try await withHome(engine) { home, mail in
            let number = try await home.ask("juice", request: "r")
            await home.store.service.notifyParents()
            try await home.store.service.decline(number, by: home.olga)
            await home.store.service.sendMail()
            #expect(mail.messages.isEmpty)
            #expect(try await home.store.count("mail_order") == 0)
        }
    }

    @Test("A member who is no parent any more gets no message", arguments: Engine.stores)
    func formerParent(engine: Engine) async throws {
        try await withHome(engine) { home, mail in
            _ = try await home.ask("juice", request: "r")
            await home.store.service.notifyParents()
            _ = try await home.store.families.setRole(.adult, of: home.paul.email)
            await home.store.service.sendMail()
            #expect(mail.messages.map(\.recipient.text) == [home.olga.email])
        }
    }

    @Test("A child who asks again and again sends no more than ten messages to a parent", arguments: Engine.stores)
    func many(engine: Engine) async throws {
        try await withHome(engine) { home, mail in
            for number in 0..<12 { _ = try await home.ask("juice", request: "r\(number)") }
            await home.store.sendMessages()
            #expect(mail.messages.count { $0.recipient.text == home.olga.email } == 10)
            #expect(try await home.requests(for: home.olga).count == 12)
        }
    }

    @Test("A store that sends no messages orders none", arguments: Engine.stores)
    func without(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            _ = try await home.ask("juice", request: "r")
            await store.service.notifyParents()
            #expect(try await store.count("mail_order") == 0)
        }
    }

    @Test(
        "A name of a product or an app can't be an address, begin one or end its quotation",
        arguments: [
            ("https://evil.example/a", "https: / /evil. example/a"), ("www.evil.example", "www. evil. example"),
            ("evil。example", "evil。 example"), ("a@b.example", "a @ b. example"),
            ("evil.\u{AD}example", "evil. example"),
            ("Pay” at evil.example “", "Pay\" at evil. example \""), ("//evil", "/ /evil"),
            ("Apple 1.5", "Apple 1.5"), ("Mr. Fruit: 3/4", "Mr. Fruit: 3/4"), ("C:\\x", "C: \\x"),
        ])
    func addresses(name: String, shown: String) {
        #expect(ChildMessage.name(name) == shown)
    }

    @Test("The message quotes the names in each language", arguments: ["en", "de", "fr"], Engine.stores)
    func quoted(language: String, engine: Engine) async throws {
        try await withHome(engine) { home, mail in
            try await home.store.service.change(account: home.olga.email, .init(locale: language))
            try await home.store.sell(TestStore.catalogue.replacing("Juice", with: "https://evil.example/pay"))
            _ = try await home.ask("juice", request: "r")
            for _ in 0..<2 { await home.store.sendMessages() }
            let body = try #require(mail.messages.first { $0.recipient.text == home.olga.email }?.body)
            let quotations = [
                "en": "“https: / /evil. example/pay” in the app “Fruit”",
                "de": "„https: / /evil. example/pay“ in der App „Fruit“",
                "fr": "«\u{A0}https: / /evil. example/pay\u{A0}» dans l’app «\u{A0}Fruit\u{A0}»",
            ]
            #expect(try body.contains(#require(quotations[language])))
            #expect(body.split(separator: "://").count == 2, "The only address is the store's.")
        }
    }

    @Test("A name from outside is a part of one line, and short")
    func names() {
        #expect(ChildMessage.line("Apple\r\nhttp://evil\u{202E}x\u{0}") == "Apple  http://evil x ")
        #expect(ChildMessage.line(String(repeating: "a", count: 500)).count == 101)
        #expect(ChildMessage.line("Äpfel 🍏") == "Äpfel 🍏")
        #expect(ChildMessage.line(String(repeating: "🍏", count: 80)) == String(repeating: "🍏", count: 50) + "…")
    }
}

extension TestStore {
    /// Notifies the parents, and sends the messages that are ordered then.
    fileprivate func sendMessages() async {
        await service.notifyParents()
        await service.sendMail()
    }
}
