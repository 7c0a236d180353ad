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

/// The pages of the account's settings and of the family in each language.
struct AccountLanguageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    private static func form(_ email: String, _ rest: String) -> String {
        "email=\(email)&password=\(password)&\(rest)"
    }

    @Test(
        "The account's pages, their failures and their results are in the browser's language",
        arguments: Engine.servers,
        PageLanguage.allCases)
    func settings(engine: Engine, language: PageLanguage) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "juice", as: anna)
            let headers: HTTPFields = [.acceptLanguage: language.rawValue]
            func post(_ path: String, _ rest: String) async throws -> TestResponse {
                let answer = try await client.post(path, Self.form(anna.email, rest), headers: headers)
                #expect(answer.text.contains("<html lang=\"\(language.rawValue)\" dir=\"ltr\">"), "\(path)")
                return answer
            }
            let frame = FrameWords.words(language)
            for place in AccountPlace.allCases {
                let asked = try await client.get(place.rawValue, headers: headers)
                let title = PlaceWords.words(language)[keyPath: place.name]
                #expect(asked.text.contains("<title>\(title)</title>"))
                #expect(asked.text.contains("\(frame.environment): Sandbox"), "\(place)")
            }
            let settings = SettingsWords.words(language)
            #expect(try await post("/account/settings", "decision=show").text.contains(settings.notForFree))
            #expect(try await post("/account/settings", "decision=save&rule=always").text.contains(settings.saved))
            let device = phone.credentials.identifier
            let devices = DevicesWords.words(language)
            let listed = try await post("/account/devices", "decision=show")
            #expect(listed.text.contains(devices.fill(\.name, ["number": String(device.prefix(8))])))
            #expect(
                try await post("/account/devices", "decision=remove&device=\(device)").text.contains(devices.removed))
            #expect(try await post("/account/devices", "decision=show").text.contains(devices.none))
            let payment = PaymentWords.words(language)
            #expect(try await post("/account/payment", "decision=show").text.contains(payment.standard))
            #expect(try await post("/account/payment", "decision=add&card=expiring").text.contains(payment.added))
            let sessions = SessionsWords.words(language)
            #expect(try await post("/account/sessions", "decision=show").text.contains(sessions.current))
            #expect(try await post("/account/sessions", "decision=end-all").text.contains(sessions.allEnded))
            let unknown = try await post("/account/sessions", "decision=end&session=1")
            #expect(unknown.status == .notFound && unknown.text.contains("id=\"message\""))
            if language == .german { #expect(unknown.text.contains("Hier gibt es nichts.")) }
            let change = try await post("/account/password", "decision=change&newPassword=\(Self.password)")
            #expect(change.text.contains(PasswordWords.words(language).changed))
            let deletion = DeletionWords.words(language)
            #expect(try await post("/account/delete", "decision=show").text.contains(deletion.delete))
            #expect(try await post("/account/delete", "decision=delete").text.contains(deletion.deleted))
        }
    }

    @Test("A language of the account goes before the browser's, and the browser's before the storefront's")
    func preference() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            _ = try await store.addAccount(storefront: "DEU")
            func language(_ browser: String?) async throws -> Substring? {
                var headers = HTTPFields()
                headers[.acceptLanguage] = browser
                let page = try await client.post(
                    "/account/settings", Self.form("anna@example.com", "decision=show"), headers: headers)
                return page.text.firstMatch(of: /lang="(..)"/)?.1
            }
            #expect(try await language(nil) == "de")
            #expect(try await language("fr-CA") == "fr")
            try await store.service.change(account: "anna@example.com", .init(locale: "en_GB"))
            #expect(try await language("fr-CA") == "en")
            try await store.service.change(account: "anna@example.com", .init(locale: "ja"))
            #expect(try await language("fr-CA") == "fr")
        }
    }

    @Test(
        "The family's page has its members, its requests and the answers in each language", arguments: Engine.servers,
        PageLanguage.allCases)
    func family(engine: Engine, language: PageLanguage) async throws {
        try await engine.withHTTP { store, client in
            let words = FamilyWords.words(language)
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            let phone = try await store.addDevice()
            try await phone.buy("pear", request: "pear", as: carl)
            func page(_ account: Account, _ rest: String) async throws -> TestResponse {
                try await client.post(
                    "/account/family", Self.form(account.email, rest), headers: [.acceptLanguage: language.rawValue])
            }
            #expect(try await page(olga, "decision=show").text.contains(words.noFamily))
            _ = try await ChangingFamily(store.context).begin(organiser: olga.email)
            _ = try await ChangingFamily(store.context).add(carl.email, as: .child, organiser: olga.email)
            #expect(try await page(carl, "decision=show").text.contains(words.onlyParents))
            #expect(try await page(olga, "decision=show").text.contains(words.noRequests))
            #expect(try await phone.ask("juice", request: "first").status == .deferred)
            let number = try await store.onlyUndecided()
            let list = try await page(olga, "decision=show")
            let price = language.price(Money(milliunits: 490, currency: "USD"))
            for text in [
                words.members, words.organiser, words.child, words.decline, words.fill(\.approveFor, ["price": price]),
                words.fill(\.pay, ["price": price]),
            ] {
                #expect(list.text.contains(text), "\(text)")
            }
            let declined = try await page(olga, "decision=decline&request=\(number)")
            #expect(declined.text.contains(words.declined))
            #expect(try await phone.ask("juice", request: "second").status == .deferred)
            let second = try await store.onlyUndecided()
            let approved = try await page(olga, "decision=approve&request=\(second)&shown=490+USD")
            #expect(approved.text.contains(words.approved))
        }
    }

    @Test(
        "An account of the other environment gets the sentence about it on the sheet and on a page",
        arguments: Engine.servers, [StoreEnvironment.sandbox, .production])
    func otherEnvironment(engine: Engine, environment: StoreEnvironment) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: environment)
            let other = try await TestStore(
                database, environment: environment == .sandbox ? .production : .sandbox)
            _ = try await other.addAccount("berta@example.com")
            let anna = try await store.addAccount()
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let english = environment == .sandbox ? "This is the sandbox" : "This is a sandbox account"
            try await store.withHTTP { client in
                for (language, sentence) in [
                    ("en", english), ("de", "Dieser Account gilt hier nicht"), ("fr", "pas valable ici"),
                ] {
                    for (path, decision) in [("/sheet/\(sheet)", "buy"), ("/account/settings", "show")] {
                        let refused = try await client.post(
                            path, Self.form("berta@example.com", "decision=\(decision)"),
                            headers: [.acceptLanguage: language])
                        #expect(refused.status == .forbidden && refused.text.contains(sentence), "\(path)")
                        #expect(refused.headers[.setCookie] == nil)
                        // After the fifth wrong account the next one has to wait.
                        store.clock.advance(by: .seconds(30))
                    }
                }
            }
            #expect(try await store.count("sheet_session") == 0)
            #expect(try await store.ledger().isEmpty)
            #expect(try await store.service.sessions(of: anna).isEmpty)
        }
    }
}
