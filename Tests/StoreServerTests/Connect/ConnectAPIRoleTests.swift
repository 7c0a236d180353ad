// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// Every request of Connect's API with a key of each role, of another team, and
/// without a valid token: an allowed one is carried out, and all others answer
/// 401, 403 or 404 and change nothing.
struct ConnectAPIRoleTests {
    struct Attempt: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        /// `:user`, `:app`, `:product` and `:email` stand for objects of the
        /// team.
        var path: String
        var body: String?
        var file: Data?
        var tag: String?
        /// `nil` for every key.
        var action: TeamAction?
        /// Whether its object is missing, such as the upload of the key or an
        /// offer of the product, so that an allowed key may find none.
        var mayLack = false

        /// Whether it names an object of the team, which other teams don't
        /// find.
        var namesObject: Bool { path.contains(":") && !path.contains(":number") }
        var isAboutImages: Bool {
            ["icon", "image", "screenshot", "promotions"].contains(String(path.split(separator: "/").last ?? ""))
        }
        /// Whether it is about the content of the product `book`.
        var isAboutContent: Bool { path.contains("/content") }
        var testDescription: String { "\(method) \(path) \(body ?? "")" }
    }

    static let attempts: [Attempt] = [
        Attempt(method: .get, path: "team"),
        Attempt(method: .get, path: "roles"),
        Attempt(method: .get, path: "log", action: .readLog),
        Attempt(method: .get, path: "price-tiers", action: .seeApps),
        Attempt(method: .get, path: "users", action: .seeUsers),
        Attempt(method: .get, path: "users/:user", action: .seeUsers),
        Attempt(
            method: .patch, path: "users/:user", body: "{\"role\": \"support\"}", tag: "\"developer\"",
            action: .manageUsers),
        Attempt(
            method: .patch, path: "users/:user", body: "{\"role\": \"account-holder\"}", tag: "\"developer\"",
            action: .appointHolders),
        Attempt(method: .delete, path: "users/:user", action: .manageUsers),
        Attempt(method: .get, path: "invitations", action: .seeUsers),
        Attempt(
            method: .post, path: "invitations", body: "{\"email\": \"new@example.com\", \"role\": \"support\"}",
            action: .manageUsers),
        Attempt(
            method: .post, path: "invitations", body: "{\"email\": \"n@example.com\", \"role\": \"account-holder\"}",
            action: .appointHolders),
        Attempt(method: .delete, path: "invitations/:email", action: .manageUsers),
        Attempt(method: .get, path: "apps", action: .seeApps),
        Attempt(
            method: .post, path: "apps",
            body: "{\"bundle\": \"com.example.new\", \"name\": \"New\", \"sku\": \"N\", \"locale\": \"en_US\"}",
            action: .registerApps),
        Attempt(method: .get, path: "apps/:app", action: .seeApps),
        Attempt(method: .patch, path: "apps/:app", body: "{\"name\": \"Other\"}", tag: "\"0\"", action: .registerApps),
        Attempt(method: .get, path: "apps/:app/groups", action: .seeApps),
        Attempt(method: .get, path: "apps/:app/products", action: .seeApps),
        Attempt(
            method: .post, path: "apps/:app/products",
            body: "{\"product\": \"kiwi\", \"kind\": \"Consumable\", \"reference\": \"Kiwi\"}", action: .editProducts),
        Attempt(method: .get, path: "apps/:app/products/:product", action: .seeApps),
        Attempt(
            method: .patch, path: "apps/:app/products/:product", body: "{\"tier\": 3}", tag: "\"1\"",
            action: .editProducts),
        // The product lacks a screenshot.
        Attempt(
            method: .post, path: "apps/:app/products/:product/submission", tag: "\"1\"", action: .editProducts,
            mayLack: true),
        Attempt(method: .get, path: "apps/:app/file", action: .editProducts),
        Attempt(
            method: .put, path: "apps/:app/file/comparison", body: TestStore.catalogue, action: .editProducts),
        Attempt(method: .get, path: "apps/:app/file/comparison", action: .editProducts, mayLack: true),
        Attempt(method: .delete, path: "apps/:app/file/comparison", action: .editProducts),
        Attempt(method: .post, path: "apps/:app/file/import", tag: "\"a\"", action: .editProducts, mayLack: true),
        Attempt(method: .get, path: "apps/:app/table", action: .seeApps),
        Attempt(
            method: .put, path: "apps/:app/table/comparison", body: "product_id,price\nbanana,1.29\n",
            action: .editProducts),
        Attempt(method: .get, path: "apps/:app/table/comparison", action: .editProducts, mayLack: true),
        Attempt(method: .delete, path: "apps/:app/table/comparison", action: .editProducts),
        Attempt(method: .post, path: "apps/:app/table/import", tag: "\"a\"", action: .editProducts, mayLack: true),
        Attempt(method: .get, path: "apps/:app/products/:product/offers", action: .seeApps),
        Attempt(
            method: .post, path: "apps/:app/products/:product/offers",
            body: "{\"kind\": \"code\", \"identifier\": \"spring\", \"mode\": \"free\"}", tag: "\"1\"",
            action: .manageOffers),
        Attempt(
            method: .delete, path: "apps/:app/products/:product/offers/introductory", tag: "\"1\"",
            action: .manageOffers, mayLack: true),
        Attempt(
            method: .delete, path: "apps/:app/products/:product/offers/:kind/:offer", tag: "\"1\"",
            action: .manageOffers, mayLack: true),
        Attempt(method: .get, path: "apps/:app/products/:product/scheduled-prices", action: .seeApps),
        Attempt(
            method: .post, path: "apps/:app/products/:product/scheduled-prices", body: "{\"price\": \"1.29\"}",
            tag: "\"a\"", action: .editProducts, mayLack: true),
        Attempt(
            method: .delete, path: "apps/:app/products/:product/scheduled-prices/:change", action: .editProducts,
            mayLack: true),
        Attempt(method: .get, path: "apps/:app/codes", action: .manageOffers),
        Attempt(
            method: .post, path: "apps/:app/codes",
            body: "{\"product\": \"banana\", \"name\": \"Press\", \"count\": 2}", action: .manageOffers),
        Attempt(method: .get, path: "apps/:app/codes/:batch", action: .manageOffers),
        Attempt(method: .get, path: "apps/:app/codes/:batch/codes", action: .manageOffers),
        Attempt(method: .post, path: "apps/:app/codes/:batch/completion", action: .manageOffers),
        Attempt(method: .post, path: "apps/:app/codes/:batch/revocation", action: .manageOffers),
    ]

    private static let image = TestImage.png(width: 1024, height: 1024)

    /// The attempts with testers, images, agreements and transactions.
    static let further: [Attempt] = [
        Attempt(method: .get, path: "apps/:app/contacts", action: .seeContacts),
        Attempt(method: .get, path: "testers", action: .seeTesters),
        Attempt(
            method: .post, path: "testers",
            body: "{\"email\": \"new@example.com\", \"password\": \"correct horse\", \"storefront\": \"USA\"}",
            action: .manageTesters),
        Attempt(method: .get, path: "testers/:tester", action: .seeTesters),
        Attempt(
            method: .patch, path: "testers/:tester", body: "{\"name\": \"Other\"}", tag: ":settings",
            action: .manageTesters),
        Attempt(method: .post, path: "testers/:tester/clock", body: "{\"by\": \"1d\"}", action: .manageTesters),
        Attempt(method: .delete, path: "testers/:tester/purchases", action: .manageTesters),
        Attempt(
            method: .post, path: "testers/:tester/requests/:transaction", body: "{\"decision\": \"approve\"}",
            action: .manageTesters, mayLack: true),
        Attempt(method: .post, path: "testers/:tester/family", action: .manageTesters),
        Attempt(method: .delete, path: "testers/:tester/family", action: .manageTesters, mayLack: true),
        Attempt(
            method: .post, path: "testers/:tester/family/members",
            body: "{\"email\": \"a@example.com\", \"role\": \"child\"}", action: .manageTesters, mayLack: true),
        Attempt(method: .delete, path: "testers/:tester/family/membership", action: .manageTesters, mayLack: true),
        Attempt(method: .delete, path: "testers/:tester", action: .manageTesters),
        Attempt(method: .get, path: "apps/:app/icon", action: .seeApps),
        Attempt(method: .put, path: "apps/:app/icon", file: image, action: .promoteProducts),
        Attempt(method: .delete, path: "apps/:app/icon", action: .promoteProducts),
        Attempt(method: .get, path: "apps/:app/products/:product/image", action: .seeApps),
        Attempt(method: .put, path: "apps/:app/products/:product/image", file: image, action: .promoteProducts),
        Attempt(method: .delete, path: "apps/:app/products/:product/image", action: .promoteProducts),
        Attempt(method: .get, path: "apps/:app/products/:product/screenshot", action: .seeApps),
        Attempt(method: .put, path: "apps/:app/products/:product/screenshot", file: image, action: .editProducts),
        Attempt(method: .delete, path: "apps/:app/products/:product/screenshot", action: .editProducts),
        Attempt(method: .get, path: "apps/:app/promotions", action: .seeApps),
        Attempt(
            method: .post, path: "apps/:app/promotions", body: "{\"change\": \"add\", \"product\": \"banana\"}",
            tag: "\"\("".hashedVersion)\"", action: .promoteProducts),
        Attempt(method: .get, path: "agreements", action: .seeAgreements),
        Attempt(method: .get, path: "agreements/contracts/:number", action: .seeAgreements),
        Attempt(
            method: .put, path: "agreements/bank",
            body: "{\"holder\": \"Fruit\", \"iban\": \"DE89370400440532013000\"}", tag: "\"0\"", action: .editPayee),
        Attempt(
            method: .put, path: "agreements/tax",
            body: """
                {"legalName": "Fruit", "address": "A street", "country": "DEU", "taxNumber": "12345"}
                """, tag: "\"0\"", action: .editPayee),
        Attempt(method: .get, path: "apps/:app/store-page", action: .seeApps),
        Attempt(
            method: .patch, path: "apps/:app/store-page",
            body: """
                {"link": "https://seller.example/app", "tier": 1,
                 "texts": {"en_US": {"title": "Fruit", "description": "Apples"}}}
                """, tag: "\"0\"", action: .editProducts),
        Attempt(
            method: .put, path: "apps/:app/store-page/screenshots/:place",
            file: TestImage.png(width: 64, height: 64), action: .editProducts, mayLack: true),
        Attempt(
            method: .delete, path: "apps/:app/store-page/screenshots/:place", action: .editProducts, mayLack: true),
        Attempt(method: .get, path: "apps/:app/versions", action: .seeApps),
        Attempt(
            method: .post, path: "apps/:app/versions", body: "{\"version\": \"1.0\"}", action: .editProducts),
        Attempt(method: .get, path: "apps/:app/versions/:version", action: .seeApps, mayLack: true),
        Attempt(method: .delete, path: "apps/:app/versions/:version", action: .editProducts, mayLack: true),
        Attempt(method: .post, path: "apps/:app/versions/:version/release", action: .editProducts, mayLack: true),
        Attempt(method: .get, path: "transactions", action: .seeTransactions),
        Attempt(method: .get, path: "transactions/:transaction", action: .seeTransactions),
        Attempt(
            method: .put, path: "transactions/:transaction/refunds/:refund", body: "{}", action: .refundPurchases),
        Attempt(
            method: .post, path: "transactions/:transaction/notifications/:notification/attempts",
            action: .resendNotifications),
    ]

    /// The names of the variable parts of paths.
    private static let names = [
        "user", "app", "product", "email", "kind", "offer", "change", "batch", "tester", "transaction", "number",
        "refund", "notification", "address", "owner", "item", "place", "version",
    ]

    @Test("The list has every route of the API")
    func routes() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let declared = try buildRouter(store.service).routes.map { route in
                Self.names.reduce("\(route.method.rawValue) \(route.path)") { path, name in
                    path.replacing("{\(name)}", with: ":\(name)")
                }
            }.filter { $0.contains(" /connect/v1/") }
            let attempts = Self.attempts + Self.further + Self.latest
            let listed = Set(attempts.map { "\($0.method.rawValue) /connect/v1/\($0.path)" })
            #expect(listed.isSubset(of: declared))
            // All others are methods that the path refuses with 405.
            try await store.withHTTP { client in
                for route in Set(declared).subtracting(listed) {
                    let words = route.split(separator: " ").map(String.init)
                    let method = try #require(HTTPRequest.Method(rawValue: words[0]))
                    let answer = try await client.executeRequest(
                        uri: words[1].replacing(":", with: ""), method: method, headers: [:], body: .init())
                    #expect(answer.status == .methodNotAllowed, "\(route)")
                }
            }
        }
    }

    /// The attempts of one store.
    enum Part: CaseIterable, Sendable {
        case registration, further, latest

        var attempts: [Attempt] {
            switch self {
            case .registration: ConnectAPIRoleTests.attempts
            case .further: ConnectAPIRoleTests.further
            case .latest: ConnectAPIRoleTests.latest
            }
        }
    }

    @Test(
        "A refused program changes nothing, and all others can read", arguments: Engine.servers,
        Part.allCases)
    func refusals(engine: Engine, part: Part) async throws {
        try await engine.withHTTP(notifications: RecordedNotifications()) { store, client in
            let programs = try await ConnectPrograms(in: store, client, naming: part.attempts)
            let before = try await ConnectRoleTests.rows(of: store)
            for attempt in part.attempts {
                for visitor in ConnectPrograms.Visitor.allCases {
                    let isAllowed = visitor.may(attempt)
                    // An allowed change has a store of its own in the other test.
                    if isAllowed && attempt.method != .get { continue }
                    let response = try await programs.send(attempt, by: visitor)
                    let name = "\(attempt.testDescription) by \(visitor)"
                    if isAllowed {
                        #expect(
                            response.status.code < 400 || attempt.mayLack && response.status == .notFound,
                            "\(name): \(response.status) \(response.text)")
                    } else {
                        #expect(response.status == visitor.refusal, "\(name): \(response.status)")
                    }
                }
                #expect(try await ConnectRoleTests.rows(of: store) == before, "\(attempt.testDescription)")
            }
        }
    }

    @Test(
        "A change is made for each key that may make it", arguments: Engine.servers,
        Part.allCases.flatMap(\.attempts).filter { $0.method != .get })
    func changes(engine: Engine, attempt: Attempt) async throws {
        try await engine.withHTTP(notifications: RecordedNotifications()) { store, client in
            let allowed = ConnectPrograms.Visitor.allCases.filter { $0.may(attempt) }
            let programs = try await ConnectPrograms(in: store, client, naming: [attempt], of: allowed)
            var isFirst = true
            for visitor in allowed {
                let response = try await programs.send(attempt, by: visitor)
                // A second key repeats the change of the first.
                let mayFail = attempt.mayLack || !isFirst
                isFirst = false
                #expect(
                    response.status.code < 400
                        || mayFail && [.notFound, .conflict, .badRequest].contains(response.status),
                    "\(visitor): \(response.status) \(response.text)")
            }
            #expect(!allowed.isEmpty)
        }
    }
}
