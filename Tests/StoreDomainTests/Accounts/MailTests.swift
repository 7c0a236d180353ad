// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Forgotten passwords and new addresses, with links in messages.
struct MailTests {
    private func withMail(
        _ engine: Engine, _ body: @Sendable @escaping (TestStore, RecordedMail) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mail = RecordedMail()
            try await body(try await TestStore(database, mail: mail), mail)
        }
    }

    @Test("A customer who has forgotten the password sets a new one by the link, once", arguments: Engine.stores)
    func forgotten(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            let anna = try await store.addAccount()
            let session = try await store.service.openSheetSession(for: anna)
            try await store.service.orderPasswordLink(to: " Anna@example.com")
            await store.service.sendMail()
            await store.service.sendMail()

            #expect(mail.messages.map(\.recipient.text) == [anna.email])
            let token = try #require(mail.token("/account/reset/"))
            #expect(try await store.count("one_time_link", where: "token_hash LIKE '%\(token)%'") == 0)
            try await store.service.checkPasswordLink(token)
            try await store.service.resetPassword(by: token, to: "another horse", from: nil)

            #expect(try await store.service.signIn(email: anna.email, password: "another horse").email == anna.email)
            #expect(try await store.service.browserSession(session) == nil)
            await #expect(throws: OneTimeLink.unknown) {
                try await store.service.resetPassword(by: token, to: "third horse", from: nil)
            }
            await #expect(throws: OneTimeLink.unknown) { try await store.service.checkPasswordLink(token) }
        }
    }

    @Test("A link ends after an hour, with a newer link, and with another password", arguments: Engine.stores)
    func useless(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            let anna = try await store.addAccount()
            func link() async throws -> String {
                store.clock.advance(by: .seconds(900))
                try await store.service.orderPasswordLink(to: anna.email)
                await store.service.sendMail()
                return try #require(mail.token("/account/reset/"))
            }
            let old = try await link()
            let new = try await link()
            await #expect(throws: OneTimeLink.unknown) { try await store.service.checkPasswordLink(old) }
            try await store.service.checkPasswordLink(new)
            store.clock.advance(by: .seconds(3599))
            try await store.service.checkPasswordLink(new)
            store.clock.advance(by: .seconds(1))
            await #expect(throws: OneTimeLink.unknown) { try await store.service.checkPasswordLink(new) }

            let before = try await link()
            _ = try await store.service.changePassword(of: anna, to: "another horse")
            await #expect(throws: OneTimeLink.unknown) { try await store.service.checkPasswordLink(before) }
            let closed = try await link()
            try await ClosingAccount(store.context)(email: anna.email)
            await #expect(throws: OneTimeLink.unknown) { try await store.service.checkPasswordLink(closed) }
            #expect(try await store.count("one_time_link") == 0)
        }
    }

    @Test("An unknown address gets the same answer and the same row, and no message", arguments: Engine.stores)
    func unknown(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            _ = try await store.addAccount()
            for email in ["anna@example.com", "nobody@example.com", "not an address"] {
                try await store.service.orderPasswordLink(to: email)
            }
            #expect(try await store.count("mail_order") == 3)
            await store.service.sendMail()
            #expect(mail.messages.map(\.recipient.text) == ["anna@example.com"])
            #expect(try await store.count("mail_order") == 0)
        }
    }

    @Test("After three messages an address has to wait, whether it has an account or not", arguments: Engine.stores)
    func throttled(engine: Engine) async throws {
        try await withMail(engine) { store, _ in
            _ = try await store.addAccount()
            for email in ["anna@example.com", "nobody@example.com"] {
                for _ in 0..<3 { try await store.service.orderPasswordLink(to: email) }
                let refused = await #expect(throws: DomainError.self) {
                    try await store.service.orderPasswordLink(to: email)
                }
                #expect(refused?.code == .throttled && refused?.message.contains("messages") == true)
            }
        }
    }

    @Test("A message that can't be sent is tried again, and given up after five attempts", arguments: Engine.stores)
    func failing(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            _ = try await store.addAccount()
            try await store.service.orderPasswordLink(to: "anna@example.com")
            mail.fails = true
            for _ in 0..<MailOrder.limit {
                await store.service.sendMail()
                await store.service.sendMail()
                store.clock.advance(by: MailOrder.pause)
            }
            #expect(mail.attempts == 5)
            mail.fails = false
            await store.service.sendMail()
            #expect(mail.messages.isEmpty)
            #expect(try await store.count("mail_order") == 0)
        }
    }

    @Test("Of two nodes that send at the same time, one sends a message", arguments: Engine.stores)
    func twoNodes(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            _ = try await store.addAccount()
            try await store.service.orderPasswordLink(to: "anna@example.com")
            let order = try #require(try await store.context.read { db in try MailOrder.due(limit: 1, db) }.first)
            let first = try await store.context.write(.key("one")) { db in try order.claim(db) }
            let second = try await store.context.write(.key("other")) { db in try order.claim(db) }
            #expect(first && !second)
        }
    }

    @Test("An account gets another address by the link, and the old address is notified", arguments: Engine.stores)
    func address(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            let anna = try await store.addAccount()
            try await store.service.orderAddressChange(to: "Anna.Bauer@example.com", of: anna)
            await store.service.sendMail()
            #expect(mail.messages.map(\.recipient.text) == ["anna.bauer@example.com"])
            let token = try #require(mail.token("/account/email/"))
            #expect(try await store.service.checkAddressLink(token).email == "anna.bauer@example.com")

            try await store.service.changeAddress(by: token)
            await store.service.sendMail()

            #expect(mail.messages.last?.recipient.text == anna.email)
            let moved = try await store.service.signIn(email: "anna.bauer@example.com", password: TestStore.password)
            #expect(moved.identifier == anna.identifier)
            await #expect(throws: SigningIn.wrong) {
                try await store.service.signIn(email: anna.email, password: TestStore.password)
            }
            await #expect(throws: OneTimeLink.unknown) { try await store.service.changeAddress(by: token) }
            #expect(try await store.addAccount(anna.email).identifier != anna.identifier)
        }
    }

    @Test("A taken address gets no message, also when it is taken after the message", arguments: Engine.stores)
    func taken(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            let anna = try await store.addAccount()
            _ = try await store.addAccount("berta@example.com")
            try await store.service.orderAddressChange(to: "berta@example.com", of: anna)
            await store.service.sendMail()
            #expect(mail.messages.isEmpty)
            try await store.service.orderAddressChange(to: "new@example.com", of: anna)
            await store.service.sendMail()
            let token = try #require(mail.token("/account/email/"))
            _ = try await store.addAccount("new@example.com")
            await #expect(throws: OneTimeLink.unknown) { try await store.service.changeAddress(by: token) }
            #expect(try await store.service.account(anna.email).identifier == anna.identifier)
        }
    }

    @Test("A store without a program for messages refuses their orders", arguments: Engine.stores)
    func without(engine: Engine) async throws {
        try await engine.withStore { store in
            await #expect(throws: DomainError(.notFound, "")) {
                try await store.service.orderPasswordLink(to: "anna@example.com")
            }
        }
    }

    @Test("An address that could begin a header, name a second recipient or be an option gets no message")
    func injection() {
        for text in [
            "a@b\nBcc: c@d", "a@b\r\nX: y", "a,c@b", "a@b,c", "<a@b>", "\"a b\"@c", "-f@b", "a@", "@b", "a@b@c", "ä@b",
            "a@b\u{0}", "a b@c", "(a)@b", String(repeating: "a", count: 250) + "@b.cd", "a@[::1]",
        ] {
            #expect(MailAddress(text) == nil, "\(text)")
        }
        for text in ["a@b", "anna.bauer+store@mail.example.com", "o'hara@example.ie", "a-b_c@d-e.f"] {
            #expect(MailAddress(text)?.text == text)
        }
    }

    @Test("A message has its headers, an empty line and its text")
    func format() throws {
        let recipient = try #require(MailAddress("anna@example.com"))
        let text = EnglishMailWords().password(link: "https://store.example/account/reset/5e")
        let lines = MailMessage(recipient: recipient, subject: text.subject, body: text.body).text
            .split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.isEmpty }
        #expect(
            head.map { $0.prefix { $0 != ":" } } == [
                "To", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted",
            ])
        #expect(head.first == "To: anna@example.com")
        #expect(lines.contains("https://store.example/account/reset/5e"))
    }

    @Test("A subject with an umlaut is in encoded words, and each is decoded to whole characters")
    func subjects() throws {
        let long = String(repeating: "ä", count: 60)
        for subject in MailLanguage.allCases.map({ $0.words.address(link: "").subject }) + [long] {
            let encoded = MailMessage.encoded(subject)
            #expect(encoded.utf8.allSatisfy { (32..<127).contains($0) || $0 == 10 })
            let words = encoded.split(separator: "\n ")
            #expect(words.allSatisfy { $0.count <= 75 })
            guard encoded != subject else { continue }
            let decoded = try words.map { word in
                let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
                return try #require(String(data: data, encoding: .utf8))
            }
            #expect(decoded.joined() == subject)
        }
    }

    @Test("Every message has a subject, a body and its values in each language, and no sentence of another one")
    func languages() throws {
        let asked = ChildMessage.Asked(
            child: "carl@b.c", product: "Apple", app: "Fruit", terms: "", page: "https://s/family")
        var seen: Set<String> = []
        for language in MailLanguage.allCases {
            let words = language.words
            let texts = [
                words.password(link: "https://s/1"), words.address(link: "https://s/1"),
                words.addressChanged(store: "https://s/1"), words.childAsks(asked),
            ]
            for text in texts { #expect(seen.insert(text.subject).inserted && seen.insert(text.body).inserted) }
            #expect(texts.dropLast().allSatisfy { $0.body.contains("https://s/1") })
            for value in ["carl@b.c", "Apple", "Fruit", "https://s/family"] {
                #expect(texts[3].body.contains(value) && !texts[3].subject.contains(value))
            }
        }
        let germany = try #require(Storefront.named("DEU"))
        var anna = Account(identifier: AccountIdentifier("a"), email: "a@b", storefront: germany, eventNumber: 0)
        #expect(MailLanguage(of: anna) == .german)
        anna.locale = "fr_CA"
        #expect(MailLanguage(of: anna) == .french)
        anna.locale = "ja"
        #expect(MailLanguage(of: anna) == .german)
    }

    @Test("A password that is changed ends the order of a new address", arguments: Engine.stores)
    func stolenPassword(engine: Engine) async throws {
        try await withMail(engine) { store, mail in
            let anna = try await store.addAccount()
            try await store.service.orderAddressChange(to: "thief@example.com", of: anna)
            _ = try await store.service.changePassword(of: anna, to: "another horse")
            await store.service.sendMail()
            #expect(mail.messages.isEmpty)
        }
    }

    @Test("An account orders three messages to new addresses without a pause", arguments: Engine.stores)
    func manyAddresses(engine: Engine) async throws {
        try await withMail(engine) { store, _ in
            let anna = try await store.addAccount()
            for number in 0..<3 { try await store.service.orderAddressChange(to: "n\(number)@example.com", of: anna) }
            await #expect(throws: DomainError(.throttled, "")) {
                try await store.service.orderAddressChange(to: "n3@example.com", of: anna)
            }
        }
    }

    @Test("Orders and links that are of no use are deleted after a day", arguments: Engine.stores)
    func old(engine: Engine) async throws {
        try await withMail(engine) { store, _ in
            let anna = try await store.addAccount()
            try await store.service.orderPasswordLink(to: anna.email)
            await store.service.sendMail()
            try await store.service.orderPasswordLink(to: "other@example.com")
            store.clock.advance(days: 1)
            try await store.clean()
            #expect(try await store.count("mail_order") == 1)
            #expect(try await store.count("one_time_link") == 1)
            store.clock.advance(by: .seconds(2 * 60 * 60))
            try await store.clean()
            #expect(try await store.count("mail_order") == 0)
            #expect(try await store.count("one_time_link") == 0)
        }
    }

    @Test("When as many messages wait as may, another order is refused", arguments: Engine.stores)
    func full(engine: Engine) async throws {
        try await withMail(engine) { store, _ in
            try await store.context.write(.all) { db in
                for number in 0..<MailOrder.mostWaiting {
                    try MailOrder(identifier: "\(number)", kind: .password, recipient: "a@b", due: db.now).insert(db)
                }
            }
            await #expect(throws: DomainError(.busy, "")) {
                try await store.service.orderPasswordLink(to: "anna@example.com")
            }
            #expect(try await store.count("mail_order") == MailOrder.mostWaiting)
        }
    }
}
