// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// The operator's review by Connect's API.
struct ConnectAPIReviewTests {
    private static let app = "com.example.flowers"
    private static let path = "reviews/\(app)/rose"

    /// A store whose operator looks at products, with a submission of another
    /// team.
    private static func withSubmission(
        _ engine: Engine = .sqliteMemory,
        _ body:
            @escaping @Sendable (TestStore, ConnectProgram, _ holder: TeamUser, _ seller: TeamUser) async throws
            -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production)
            try await store.withHTTP { client in
                let holder = try await store.setUpTeam()
                let seller = try await store.setUpTeam("flowers", holder: "flora@example.com")
                _ = try await store.service.registeringApp()(
                    AppRegistration.Values(
                        bundleIdentifier: app, name: "Flowers", sku: "F", primaryLocale: "en_US"), by: seller)
                try await submit("rose", of: seller, in: store)
                let program = try await ConnectProgram(client, .admin, of: holder, store)
                try await body(store, program, holder, seller)
            }
        }
    }

    private static func submit(_ product: String, of seller: TeamUser, in store: TestStore) async throws {
        var values = TestStore.productValues("Rose", title: "Rose", description: "A rose")
        values.reviewNote = "Tap the rose."
        try await store.registerProduct(product, in: app, values: values, by: seller)
        try await store.addScreenshot(of: product, in: app, by: seller)
        let present = try await store.registration(product, in: app, as: seller)
        try await store.service.registeringProduct().submit(
            ProductIdentifier(product), of: BundleIdentifier(app), version: present.version, by: seller)
    }

    @Test("A program finds a submission, begins and approves it", arguments: Engine.servers)
    func approved(engine: Engine) async throws {
        try await Self.withSubmission(engine) { store, program, holder, seller in
            for (query, count) in [
                ("", 1), ("?search=ROSE&state=waiting", 1), ("?search=tulip", 0), ("?state=in-review", 0),
            ] {
                let list = try await program.send(.get, "reviews\(query)").object()["submissions"] as? [[String: Any]]
                #expect(list?.count == count, "\(query)")
            }
            let shown = try await program.send(.get, Self.path)
            let product = try #require(try shown.object()["product"] as? [String: Any])
            #expect(product["note"] as? String == "Tap the rose." && product["price"] as? String == "0.99")
            #expect(try shown.object()["team"] as? String == "Team flowers")
            let screenshot = try shown.object()["screenshot"] as? [String: Any]
            #expect(screenshot?["width"] as? Int == 640)
            let image = try await program.send(.get, "\(Self.path)/screenshot")
            #expect(image.headers[.contentType] == "image/png")
            #expect(Data(image.body.readableBytesView) == TestImage.png(width: 640, height: 920))
            var tag = shown.headers[.eTag]
            for decision in ["begin", "approve"] {
                // The second is the same decision after a lost answer.
                for _ in 0..<2 {
                    let decided = try await program.send(
                        .post, "\(Self.path)/decision", "{\"decision\": \"\(decision)\"}", tag: tag)
                    #expect(decided.status == .ok, "\(decision): \(decided.text)")
                    tag = decided.headers[.eTag]
                }
            }
            let after = try await store.registration("rose", in: Self.app, as: seller)
            #expect(after.review.state == .approved)
            let begun = try await program.send(
                .post, "\(Self.path)/decision", "{\"decision\": \"begin\"}", tag: tag)
            #expect(begun.status == .conflict && begun.code == "decided")
            let empty = try await program.send(.get, "reviews").object()["submissions"] as? [Any]
            #expect(empty?.isEmpty == true)
            let own = try await store.service.teamReader.changes(as: holder).entries
            #expect(own.filter { $0.kind == .productReviewed && $0.user.hasPrefix("API key ") }.count == 2)
            let sellers = try await store.service.teamReader.changes(as: seller).entries
            #expect(sellers.filter { $0.kind == .productReviewed }.map(\.user) == ["", ""])
        }
    }

    @Test("A rejection needs a reason, and a decision about another version answers the present values")
    func rejected() async throws {
        try await Self.withSubmission { store, program, _, seller in
            let decision = "\(Self.path)/decision"
            let tag = try await program.send(.get, Self.path).headers[.eTag]
            let bare = try await program.send(.post, decision, "{\"decision\": \"reject\"}", tag: tag)
            #expect(try bare.problems == ["reason missing"])
            let unknown = try await program.send(.post, decision, "{\"decision\": \"burn\"}", tag: tag)
            #expect(try unknown.problems == ["decision unknown"])
            #expect(try await program.send(.post, decision, "{\"decision\": \"approve\"}").status == .badRequest)
            let present = try await store.registration("rose", in: Self.app, as: seller)
            let values = TestStore.productValues("Rose", title: "Another rose", description: "A rose")
            try await store.service.registeringProduct().change(
                "rose", of: BundleIdentifier(Self.app), to: values, version: present.version, by: seller)
            let reject = "{\"decision\": \"reject\", \"reason\": \"It shows a tulip.\"}"
            let late = try await program.send(.post, decision, reject, tag: tag)
            #expect(late.status == .conflict && late.text.contains("Another rose"))
            #expect(try await store.registration("rose", in: Self.app, as: seller).review.state == .waiting)
            let rejected = try await program.send(.post, decision, reject, tag: late.headers[.eTag])
            #expect(rejected.status == .ok, "\(rejected.text)")
            let review = try await store.registration("rose", in: Self.app, as: seller).review
            #expect(review.state == .rejected && review.reason == "It shows a tulip.")
        }
    }

    @Test("The queue has pages of 50, and wrong filters are refused")
    func pages() async throws {
        try await Self.withSubmission { store, program, _, seller in
            for number in 1...60 { try await Self.submit("tulip\(number)", of: seller, in: store) }
            let first = try await program.send(.get, "reviews").object()
            let next = try #require(first["next"] as? String)
            let rest = try await program.send(.get, "reviews?after=\(next)").object()
            let found = try [first, rest].flatMap { page in
                try #require(page["submissions"] as? [[String: Any]]).compactMap { $0["product"] as? String }
            }
            #expect(found.count == 61 && Set(found).count == 61 && rest["next"] == nil)
            for query in ["state=approved", "after=x", "after=1/2"] {
                #expect(try await program.send(.get, "reviews?\(query)").status == .badRequest, "\(query)")
            }
            #expect(try await program.send(.get, "reviews/\(Self.app)/violet").status == .notFound)
        }
    }

    @Test("Another team doesn't find the review, also with a key of its account holder")
    func others() async throws {
        try await Self.withSubmission { store, program, _, seller in
            let foreign = try await ConnectProgram(program.client, .accountHolder, of: seller, store)
            for path in ["reviews", Self.path, "\(Self.path)/screenshot"] {
                #expect(try await foreign.send(.get, path).status == .notFound, "\(path)")
            }
            let approve = "{\"decision\": \"approve\"}"
            #expect(
                try await foreign.send(.post, "\(Self.path)/decision", approve, tag: "\"1\"").status == .notFound)
            #expect(try await store.registration("rose", in: Self.app, as: seller).review.state == .waiting)
        }
    }
}
