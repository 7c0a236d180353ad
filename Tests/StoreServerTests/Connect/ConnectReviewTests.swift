// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The pages of the operator's review.
struct ConnectReviewTests {
    private static let queue = "/connect/reviews"
    private static let path = "\(queue)/com.example.flowers/rose"

    /// A store whose operator looks at products, with a submission of another
    /// team.
    private static func withSubmission(
        _ body:
            @escaping @Sendable (TestStore, ConnectBrowser, _ holder: TeamUser, _ seller: TeamUser) async throws
            -> Void
    ) async throws {
        try await Engine.sqliteMemory.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            try await store.withHTTP { client in
                let holder = try await store.setUpTeam()
                let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
                try await submit("rose", of: seller, in: store)
                try await body(store, try await ConnectBrowser(client, holder, store), holder, seller)
            }
        }
    }

    private static func submit(_ product: String, of seller: TeamUser, in store: TestStore) async throws {
        if try await store.service.appReader.apps(as: seller).entries.isEmpty {
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.flowers", name: "Flowers", sku: "F", primaryLocale: "en_US"),
                by: seller)
        }
        var values = TestStore.productValues("Rose <b>", title: "Rose", description: "A rose")
        values.reviewNote = "Tap the rose.\nThen \"buy\"."
        try await store.registerProduct(product, in: "com.example.flowers", values: values, by: seller)
        try await store.addScreenshot(of: product, in: "com.example.flowers", by: seller)
        let present = try await store.registration(product, in: "com.example.flowers", as: seller)
        try await store.service.registeringProduct().submit(
            ProductIdentifier(product), of: "com.example.flowers", version: present.version, by: seller)
    }

    private static func version(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: /name="version" value="(\d+)"/)?.1))
    }

    @Test(
        "A submission is found, seen with its note and screenshot, begun and approved", arguments: ["en", "de", "fr"])
    func approved(language: String) async throws {
        try await Self.withSubmission { store, browser, holder, seller in
            var browser = browser
            browser.language = language
            let listed = try await browser.get("\(Self.queue)?q=rose&state=waiting").text
            #expect(listed.contains("href=\"\(Self.path)\"") && listed.contains("aria-current=\"page\""))
            #expect(try await !browser.get("\(Self.queue)?q=tulip").text.contains(Self.path))
            let page = try await browser.get(Self.path)
            let text = page.text
            #expect(text.contains("Tap the rose.") && text.contains("Rose &lt;b&gt;") && text.utf8.count < 80_000)
            #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self'") == true)
            let image = try #require(text.firstMatch(of: /img src="([^"]+)"/)?.1)
            #expect(try await browser.get(String(image)).headers[.contentType] == "image/png")
            for decision in ["begin", "approve"] {
                let version = try Self.version(try await browser.get(Self.path).text)
                let answer = try await browser.send(Self.path, ["decision": decision, "version": version])
                #expect(answer.headers[.location] == "\(Self.path)?done=reviewed", "\(decision)")
            }
            let after = try await store.registration("rose", in: "com.example.flowers", as: seller)
            #expect(after.review.state == .approved)
            let words = ReviewWords.words(language == "de" ? .german : language == "fr" ? .french : .english)
            #expect(try await browser.get(Self.queue).text.contains(words.none))
            #expect(try await browser.get("\(Self.path)?done=reviewed").text.contains(words.decided))
            let ofSeller = try await store.service.teamReader.changes(containing: "", before: .max, as: seller).entries
            #expect(ofSeller.filter { $0.kind == .productReviewed }.map(\.user) == ["", ""])
            let own = try await store.service.teamReader.changes(containing: "", before: .max, as: holder).entries
            #expect(own.filter { $0.kind == .productReviewed }.map(\.user) == [holder.email, holder.email])
        }
    }

    @Test("A rejection needs a reason, which the seller reads")
    func rejected() async throws {
        try await Self.withSubmission { store, browser, _, seller in
            let version = try Self.version(try await browser.get(Self.path).text)
            let empty = try await browser.send(Self.path, ["decision": "reject", "version": version, "reason": " "])
            #expect(empty.status == .badRequest && empty.text.contains("id=\"reason-problem\""))
            let long = String(repeating: "x", count: ProductReview.longestReason + 1)
            let tooLong = try await browser.send(Self.path, ["decision": "reject", "version": version, "reason": long])
            #expect(tooLong.status == .badRequest && tooLong.text.contains(long))
            let form = ["decision": "reject", "version": version, "reason": "The picture\nshows a tulip."]
            #expect(try await browser.send(Self.path, form).status == .seeOther)
            let review = try await store.registration("rose", in: "com.example.flowers", as: seller).review
            #expect(review.state == .rejected && review.reason == "The picture\nshows a tulip.")
        }
    }

    @Test("A decision about a version that the seller has changed meanwhile isn't carried out, and keeps the reason")
    func changed() async throws {
        try await Self.withSubmission { store, browser, _, seller in
            let version = try Self.version(try await browser.get(Self.path).text)
            try await store.addScreenshot(of: "rose", in: "com.example.flowers", by: seller)
            var values = TestStore.productValues("Rose <b>", title: "Another rose", description: "A rose")
            values.reviewNote = "Another note"
            let present = try await store.registration("rose", in: "com.example.flowers", as: seller)
            try await store.service.registeringProduct().change(
                "rose", of: "com.example.flowers", to: values, version: present.version, by: seller)
            for decision in ["approve", "reject", "begin"] {
                let form = ["decision": decision, "version": version, "reason": "My words"]
                let answer = try await browser.send(Self.path, form)
                #expect(answer.status == .conflict, "\(decision): \(answer.status)")
                #expect(answer.text.contains("Another rose") && answer.text.contains("My words"))
            }
            let after = try await store.registration("rose", in: "com.example.flowers", as: seller)
            #expect(after.review.state == .waiting)
        }
    }

    @Test("Only account holders and admins of the operator's team review", arguments: TeamRole.allCases)
    func roles(role: TeamRole) async throws {
        try await Self.withSubmission { store, browser, holder, seller in
            let foreign = role == .accountHolder ? seller : try await store.addUser(role, to: seller)
            let user = role == .accountHolder ? holder : try await store.addUser(role, to: holder)
            let image = try #require(try await browser.get(Self.path).text.firstMatch(of: /img src="([^"]+)"/)?.1)
            let version = try Self.version(try await browser.get(Self.path).text)
            let isAllowed = [.accountHolder, .admin].contains(role)
            for (user, allowed, refused) in [
                (foreign, false, HTTPResponse.Status.notFound), (user, isAllowed, .forbidden),
            ] {
                let browser = try await ConnectBrowser(browser.client, user, store)
                for path in [Self.queue, Self.path, String(image)] {
                    #expect(try await browser.get(path).status == (allowed ? .ok : refused), "\(path)")
                }
                #expect(try await browser.get("/connect/account").text.contains("\"\(Self.queue)\"") == allowed)
                #expect(
                    try await browser.get("/connect/roles").text.contains("Review the products")
                        == (user.team == Team.ofTheStore))
                let form = ["decision": "begin", "version": version]
                #expect(try await browser.send(Self.path, form).status == (allowed ? .seeOther : refused))
            }
            let state = try await store.registration("rose", in: "com.example.flowers", as: seller).review.state
            #expect(state == (isAllowed ? .inReview : .waiting))
        }
    }

    @Test("A long queue has pages of 50, which list each submission once")
    func pages() async throws {
        try await Self.withSubmission { store, browser, _, seller in
            for number in 1...60 { try await Self.submit("tulip\(number)", of: seller, in: store) }
            var path = Self.queue
            var found: [String] = []
            for _ in 0..<2 {
                let page = try await browser.get(path).text
                #expect(page.utf8.count < 80_000)
                found += page.matches(of: /href="\/connect\/reviews\/com\.example\.flowers\/([^"]+)"/).map {
                    String($0.1)
                }
                path =
                    page.firstMatch(of: /href="(\/connect\/reviews\?[^"]*submitted=[^"]+)"/)
                    .map { String($0.1).replacing("&amp;", with: "&") } ?? ""
            }
            #expect(found.count == 61 && Set(found).count == 61 && path.isEmpty)
        }
    }
}
