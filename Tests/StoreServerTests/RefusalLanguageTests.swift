// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreCore
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// Refusals that have one code and different reasons, on the pages in each
/// language.
struct RefusalLanguageTests {
    private static let password = TestStore.password.replacing(" ", with: "+")

    /// Posts a form to a page, and returns the texts of its message.
    private static func message(
        _ client: any TestClientProtocol, _ path: String, _ email: String, _ rest: String, _ language: PageLanguage
    ) async throws -> String {
        let answer = try await client.post(
            path, "email=\(email)&password=\(password)&\(rest)", headers: [.acceptLanguage: language.rawValue])
        return answer.text
    }

    @Test("A refusal on a page of the account has its reason in the language alone", arguments: Engine.servers)
    func account(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            _ = try await ChangingFamily(store.context).begin(organiser: olga.email)
            _ = try await ChangingFamily(store.context).add(carl.email, as: .child, organiser: olga.email)
            for _ in 0..<PaymentMethod.most {
                _ = try await store.service.add(.accepted, to: olga)
            }
            let refused: [(path: String, form: String, reason: CustomerRefusal, english: String)] = [
                ("/account/password", "decision=change&newPassword=", .password, "A password has"),
                ("/account/payment", "decision=add&card=accepted", .paymentMethods, "An account has at most"),
                ("/account/delete", "decision=delete", .organiser, "is the organiser of a family"),
            ]
            for language in [PageLanguage.german, .french] {
                let sentences = try #require(FailureSentences.sentences(language))
                for (path, form, reason, english) in refused {
                    let page = try await Self.message(client, path, olga.email, form, language)
                    #expect(page.contains(sentences[reason]) && !page.contains(english), "\(language) \(path)")
                }
            }
            for (path, form, _, english) in refused {
                let page = try await Self.message(client, path, olga.email, form, .english)
                #expect(page.contains(english), "\(path)")
            }
        }
    }

    @Test("A parent reads why a request can't be approved, in the language alone", arguments: Engine.servers)
    func family(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let olga = try await store.addAccount("olga@example.com")
            let carl = try await store.addAccount("carl@example.com")
            let phone = try await store.addDevice()
            try await phone.buy("pear", request: "pear", as: carl)
            _ = try await ChangingFamily(store.context).begin(organiser: olga.email)
            _ = try await ChangingFamily(store.context).add(carl.email, as: .child, organiser: olga.email)
            #expect(try await phone.ask("juice", request: "first").status == .deferred)
            try await SettingAvailability(store.context)(
                "juice", of: BundleIdentifier(TestStore.bundleIdentifier), isNotSoldIn: ["USA"])
            for language in [PageLanguage.german, .french] {
                let sentences = try #require(FailureSentences.sentences(language))
                let page = try await Self.message(client, "/account/family", olga.email, "decision=show", language)
                #expect(page.contains("\(FamilyWords.words(language).refused) \(sentences[.product])"))
            }
        }
    }

    @Test("The reason of a refusal stays in the store, and isn't sent")
    func encoded() throws {
        let failure = StoreFailure(.invalid, "A sentence.", reason: .product, retryAfter: 7)
        let text = try #require(String(data: try JSONEncoder().encode(failure), encoding: .utf8))
        #expect(!text.contains("reason") && text.contains("retryAfter"))
        let read = try JSONDecoder().decode(StoreFailure.self, from: Data(text.utf8))
        #expect(read.retryAfter == 7 && read.reason == nil && read.message == failure.message)
    }
}
