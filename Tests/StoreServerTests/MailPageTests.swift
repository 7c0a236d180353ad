// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// The pages of a forgotten password and of a new e-mail address.
struct MailPageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    private func withMail(
        _ engine: Engine, log: RecordingLogHandler? = nil,
        _ body: @Sendable @escaping (TestStore, any TestClientProtocol, RecordedMail) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let mail = RecordedMail()
            let store = try await TestStore(database, log: log, mail: mail)
            try await store.withHTTP { try await body(store, $0, mail) }
        }
    }

    @Test(
        "A customer sets a new password by the pages, in three languages", arguments: Engine.servers,
        ["en", "de", "fr"])
    func forgotten(engine: Engine, language: String) async throws {
        try await withMail(engine) { store, client, mail in
            let words = LinkWords.words(try #require(PageLanguage(rawValue: language)))
            let headers: HTTPFields = [.acceptLanguage: language]
            let anna = try await store.addAccount()
            let signIn = try await client.get("/account/settings", headers: headers)
            #expect(signIn.text.contains("<a href=\"/account/forgotten\">\(words.forgotten)</a>"))
            let page = try await client.get("/account/forgotten", headers: headers)
            #expect(page.text.contains("<html lang=\"\(language)\"") && page.text.contains(words.email))
            let sent = try await client.post("/account/forgotten", "email=anna%40example.com", headers: headers)
            #expect(sent.status == .ok && sent.text.contains(words.sentTitle))
            await store.service.sendMail()
            let path = "/account/reset/\(try #require(mail.token("/account/reset/")))"

            // Opening a link changes nothing.
            for _ in 0..<2 {
                let form = try await client.get(path, headers: headers)
                #expect(form.status == .ok && form.text.contains(words.setPassword))
                #expect(!form.text.contains(anna.email))
            }
            let empty = try await client.post(path, "newPassword=", headers: headers)
            #expect(empty.status == .badRequest && empty.text.contains(words.setPassword))
            let set = try await client.post(path, "newPassword=another+horse", headers: headers)
            #expect(set.status == .ok && set.text.contains(words.passwordTitle))
            for answer in [
                try await client.get(path, headers: headers),
                try await client.post(path, "newPassword=third+horse", headers: headers),
            ] {
                #expect(answer.status == .notFound && answer.text.contains(words.uselessTitle))
            }
            #expect(try await store.service.signIn(email: anna.email, password: "another horse").email == anna.email)
        }
    }

    @Test("The answer is the same for an address without an account", arguments: Engine.servers)
    func unknown(engine: Engine) async throws {
        try await withMail(engine) { store, client, mail in
            _ = try await store.addAccount()
            var answers: [String] = []
            for email in ["anna@example.com", "other@example.com", "%0D%0ABcc:+c@d", ""] {
                for headers in [HTTPFields(), .script] {
                    let answer = try await client.post("/account/forgotten", "email=\(email)", headers: headers)
                    #expect(answer.status == .ok && answer.headers[.setCookie] == nil)
                    answers.append(answer.text)
                }
            }
            #expect(Set(answers).count == 2)
            await store.service.sendMail()
            #expect(mail.messages.allSatisfy { $0.recipient.text == "anna@example.com" })
        }
    }

    @Test(
        "A form of another site is refused, and an address that orders again and again waits", arguments: Engine.servers
    )
    func refused(engine: Engine) async throws {
        try await withMail(engine) { store, client, _ in
            let foreign = HTTPFields.script.merging(cookie: "a=b", site: "cross-site")
            for path in ["forgotten", "reset/1", "email/1"] {
                let answer = try await client.post("/account/\(path)", "email=a@b&newPassword=x", headers: foreign)
                #expect(answer.status == .forbidden && answer.code == "cross-site")
            }
            #expect(try await store.count("mail_order") == 0)
            for number in 0..<4 {
                let answer = try await client.post("/account/forgotten", "email=anna@example.com", headers: .script)
                #expect(answer.status == (number < 3 ? .ok : .tooManyRequests))
            }
        }
    }

    @Test("A store that sends no messages refuses their orders, and its pages have no link", arguments: Engine.servers)
    func without(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let refused = try await client.post("/account/forgotten", "email=anna@example.com", headers: .script)
            #expect(refused.status == .notFound)
            #expect(try await !client.get("/account/settings").text.contains("/account/forgotten"))
            let page = try await client.post(
                "/account/email", "email=\(anna.email)&password=\(Self.password)&decision=show")
            #expect(page.text.contains(EmailWords.english.unavailable) && !page.text.contains("newEmail"))
        }
    }

    @Test("A customer changes the address, and a taken one is answered like a free one", arguments: Engine.servers)
    func address(engine: Engine) async throws {
        try await withMail(engine) { store, client, mail in
            let anna = try await store.addAccount()
            _ = try await store.addAccount("berta@example.com")
            func order(_ email: String) async throws -> TestResponse {
                try await client.post(
                    "/account/email",
                    "email=\(anna.email)&password=\(Self.password)&decision=change&newEmail=\(email)")
            }
            let taken = try await order("berta@example.com")
            let free = try await order("new@example.com")
            #expect(taken.status == .ok && taken.text == free.text && taken.text.contains(EmailWords.english.sent))
            let invalid = try await order("a%0D%0Ab@c")
            #expect(invalid.status == .badRequest)
            let without = try await client.post(
                "/account/email", "email=\(anna.email)&decision=change&newEmail=new@example.com")
            #expect(without.status == .unauthorized)

            await store.service.sendMail()
            #expect(mail.messages.map(\.recipient.text) == ["new@example.com"])
            let path = "/account/email/\(try #require(mail.token("/account/email/")))"
            let page = try await client.get(path)
            #expect(page.status == .ok && page.text.contains("<bdi>new@example.com</bdi>"))
            #expect(try await store.service.account(anna.email).identifier == anna.identifier)
            let changed = try await client.post(path, "")
            #expect(changed.status == .ok && changed.text.contains(LinkWords.english.confirmedTitle))
            #expect(try await store.service.account("new@example.com").identifier == anna.identifier)
            #expect(try await client.post(path, "").status == .notFound)
        }
    }

    @Test("No token is in the log, also of a message that can't be sent", arguments: Engine.servers)
    func log(engine: Engine) async throws {
        let log = RecordingLogHandler()
        try await withMail(engine, log: log) { store, client, mail in
            _ = try await store.addAccount()
            _ = try await client.post("/account/forgotten", "email=anna@example.com")
            mail.fails = true
            await store.service.sendMail()
            store.clock.advance(by: MailOrder.pause)
            mail.fails = false
            await store.service.sendMail()
            let token = try #require(mail.token("/account/reset/"))
            _ = try await client.get("/account/reset/\(token)")
            _ = try await client.post("/account/reset/\(token)", "newPassword=another+horse")
            _ = try await client.get("/account/reset/\(token)")
            #expect(log.lines.contains { $0.contains("message can't be sent") })
            #expect(!log.lines.contains { $0.contains(token) || $0.contains("anna@") })
        }
    }
}
