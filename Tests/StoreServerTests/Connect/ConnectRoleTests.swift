// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer

/// Every page and every form of Connect, as every role, from another team and
/// without the sign-in: an allowed one works, and all others answer 403 or 404
/// and change nothing.
struct ConnectRoleTests {
    /// A page, or a form of a page.
    struct Attempt: Sendable, CustomTestStringConvertible {
        /// `:user` stands for a developer of the team.
        var path: String
        /// `nil` for a page.
        var form: [String: String]?
        /// The action that it needs; `nil` for every signed-in user.
        var action: TeamAction?
        /// Whether it names an object of the team, which other teams don't
        /// find.
        var namesObject = false
        /// Whether its file or its object is missing, so that an allowed user is
        /// refused for another reason than the role.
        var mayLack = false

        var testDescription: String { "\(path) \(form?["decision"] ?? "")" }
    }

    static let attempts: [Attempt] = [
        Attempt(path: "/connect/users", action: .seeUsers),
        Attempt(
            path: "/connect/users",
            form: [
                "decision": "invite", "email": "new@example.com", "role": "support", "password": TestStore.teamPassword,
            ],
            action: .manageUsers),
        Attempt(
            path: "/connect/users",
            form: [
                "decision": "invite", "email": "new@example.com", "role": "account-holder",
                "password": TestStore.teamPassword,
            ],
            action: .appointHolders),
        Attempt(
            path: "/connect/users", form: ["decision": "revoke", "email": "invited@example.com"],
            action: .manageUsers, namesObject: true),
        Attempt(path: "/connect/users/:user", action: .seeUsers, namesObject: true),
        Attempt(
            path: "/connect/users/:user",
            form: ["decision": "role", "role": "support", "before": "developer", "password": TestStore.teamPassword],
            action: .manageUsers, namesObject: true),
        Attempt(
            path: "/connect/users/:user",
            form: [
                "decision": "role", "role": "account-holder", "before": "developer", "password": TestStore.teamPassword,
            ],
            action: .appointHolders, namesObject: true),
        Attempt(
            path: "/connect/users/:user", form: ["decision": "recover", "password": TestStore.teamPassword],
            action: .manageUsers, namesObject: true),
        Attempt(path: "/connect/users/:user", form: ["decision": "remove"], action: .manageUsers, namesObject: true),
        Attempt(path: "/connect/apps", action: .seeApps),
        Attempt(
            path: "/connect/apps",
            form: [
                "decision": "register", "bundle": "com.example.new", "name": "New", "sku": "N", "locale": "en_US",
            ], action: .registerApps),
        Attempt(path: "/connect/apps/:app", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app", form: ["decision": "change", "name": "Other", "version": "0"],
            action: .registerApps, namesObject: true),
        Attempt(path: "/connect/apps/:app/new-product", action: .editProducts, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/new-product",
            form: [
                "decision": "register", "kind": "Consumable", "product": "kiwi", "reference": "Kiwi", "cleared": "yes",
            ], action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/products/:product", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product",
            form: ["decision": "save", "reference": "Other", "tier": "3", "cleared": "no", "version": "1"],
            action: .editProducts, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product", form: ["decision": "submit", "version": "1"],
            action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/promotion", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/promotion", form: ["decision": "remove-image", "purpose": "icon"],
            action: .promoteProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/products/:product/images", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product/images",
            form: ["decision": "remove-image", "purpose": "review"], action: .editProducts, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product/images", form: ["decision": "promote", "before": ""],
            action: .promoteProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/images/:digest", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/apps/:app/products/:product/images/:digest", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/agreements", action: .seeAgreements),
        Attempt(
            path: "/connect/agreements", form: ["decision": "accept", "number": "1"], action: .acceptAgreements),
        Attempt(
            path: "/connect/agreements",
            form: ["decision": "bank", "holder": "Fruit", "iban": "DE89370400440532013000", "version": "0"],
            action: .editPayee),
        Attempt(
            path: "/connect/agreements",
            form: [
                "decision": "tax", "legalName": "Fruit", "address": "A street", "country": "DEU", "taxNumber": "12345",
                "version": "0",
            ], action: .editPayee),
        Attempt(path: "/connect/agreements/:number", action: .seeAgreements),
        Attempt(path: "/connect/apps/:app/file", action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/file/download", action: .editProducts, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/file", form: ["decision": "upload", "others": "keep"], action: .editProducts,
            namesObject: true, mayLack: true),
        Attempt(
            path: "/connect/apps/:app/file", form: ["decision": "apply", "version": "1"], action: .editProducts,
            namesObject: true, mayLack: true),
        Attempt(
            path: "/connect/apps/:app/file", form: ["decision": "discard"], action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/table", action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/table/download", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/table", form: ["decision": "upload"], action: .editProducts, namesObject: true,
            mayLack: true),
        Attempt(
            path: "/connect/apps/:app/table", form: ["decision": "apply", "version": "1"], action: .editProducts,
            namesObject: true, mayLack: true),
        Attempt(
            path: "/connect/apps/:app/table", form: ["decision": "discard"], action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/products/:product/offers", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product/offers",
            form: ["decision": "add", "kind": "code", "identifier": "spring", "mode": "free", "version": "1"],
            action: .manageOffers, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product/offers",
            form: ["decision": "remove", "kind": "code", "identifier": "spring", "version": "1"],
            action: .manageOffers, namesObject: true),
        Attempt(path: "/connect/apps/:app/products/:product/prices", action: .seeApps, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product/prices",
            form: ["decision": "schedule", "price": "1.29", "firstDay": "", "version": ""], action: .editProducts,
            namesObject: true),
        Attempt(
            path: "/connect/apps/:app/products/:product/prices", form: ["decision": "cancel", "change": "1"],
            action: .editProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/codes", action: .manageOffers, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/codes",
            form: ["decision": "draw", "product": "banana", "offer": "", "name": "Press", "count": "2"],
            action: .manageOffers, namesObject: true),
        Attempt(
            path: "/connect/apps/:app/codes",
            form: ["decision": "app", "product": "", "name": "Press", "count": "2"], action: .manageOffers,
            namesObject: true, mayLack: true),
        Attempt(
            path: "/connect/apps/:app/codes", form: ["decision": "revoke", "batch": ":batch"], action: .manageOffers,
            namesObject: true),
        Attempt(
            path: "/connect/apps/:app/codes", form: ["decision": "complete", "batch": ":batch"],
            action: .manageOffers, namesObject: true),
        Attempt(path: "/connect/apps/:app/codes/:batch/download", action: .manageOffers, namesObject: true),
        Attempt(path: "/connect/keys", action: .manageKeys),
        Attempt(
            path: "/connect/keys",
            form: [
                "decision": "make", "name": "CI", "purpose": "connect", "role": "developer",
                "password": TestStore.teamPassword,
            ], action: .manageKeys),
        Attempt(
            path: "/connect/keys",
            form: [
                "decision": "make", "name": "CI", "purpose": "connect", "role": "account-holder",
                "password": TestStore.teamPassword,
            ],
            action: .appointHolders),
        Attempt(
            path: "/connect/keys", form: ["decision": "revoke", "key": ":key"], action: .manageKeys, namesObject: true),
        Attempt(path: "/connect/roles"),
        Attempt(path: "/connect/log", action: .readLog),
        Attempt(path: "/connect/account"),
        Attempt(path: "/connect/account", form: ["decision": "name", "name": "Another name"]),
        Attempt(path: "/connect/account", form: ["decision": "end-others"]),
    ]

    /// The names of the variable parts of paths.
    private static let parameters = [
        "user", "app", "product", "batch", "digest", "number", "transaction", "tester", "item",
    ]

    /// The rows of Connect, without the sessions, which each attempt opens.
    static func rows(of store: TestStore) async throws -> [String] {
        try await store.context.database.read { connection in
            try [
                "SELECT user_id AS a, name AS b, role AS c, password_hash AS d FROM team_user ORDER BY user_id",
                "SELECT email AS a, role AS b, inviter AS c, team_id AS d FROM team_invitation ORDER BY email, team_id",
                """
                SELECT bundle_id AS a, name AS b, team_id AS c, COALESCE(sku, '') AS d FROM app ORDER BY bundle_id
                """,
                """
                SELECT product_id AS a, reference_name AS b, review_state AS c, COALESCE(review_note, '') AS d
                FROM product ORDER BY product_id
                """,
                """
                SELECT batch_id AS a, name AS b, COALESCE(CAST(revoked_at AS TEXT), '') AS c, offer_id AS d
                FROM offer_code_batch ORDER BY batch_id
                """,
                "SELECT change_id AS a, product_id AS b, storefront AS c, consent AS d FROM price_change ORDER BY change_id",
                "SELECT product_id AS a, COALESCE(offers, '') AS b, kind AS c, kind AS d FROM product ORDER BY product_id",
                "SELECT CAST(item_id AS TEXT) AS a, version AS b, link AS c, team_id AS d FROM item ORDER BY item_id",
                "SELECT bundle_id AS a, version AS b, state AS c, state AS d FROM app_version ORDER BY bundle_id, version",
                "SELECT token_hash AS a, kind AS b, team_id AS c, kind AS d FROM team_link ORDER BY token_hash",
                """
                SELECT bundle_id AS a, product_id AS b, purpose AS c, digest AS d FROM registration_image
                ORDER BY bundle_id, product_id, purpose
                """,
                """
                SELECT team_id AS a, user_email AS b, user_name AS c, CAST(contract_number AS TEXT) AS d
                FROM contract_acceptance ORDER BY team_id, contract_number
                """,
                """
                SELECT team_id AS a, COALESCE(iban, '') AS b, COALESCE(tax_number, '') AS c,
                    CAST(form_number AS TEXT) AS d
                FROM team_payee ORDER BY team_id
                """,
                """
                SELECT bundle_id AS a, product_id AS b, CAST(place AS TEXT) AS c, CAST(is_visible AS TEXT) AS d
                FROM promoted_product ORDER BY bundle_id, place
                """,
                """
                SELECT key_id AS a, team_id AS b, name AS c, CAST(COALESCE(revoked_at, 0) AS TEXT) AS d FROM team_key
                ORDER BY key_id
                """,
                """
                SELECT team_id AS a, kind AS b, subject AS c, user_email AS d FROM team_change
                ORDER BY team_id, change_number
                """,
                """
                SELECT transaction_id AS a, COALESCE(CAST(revoked_at AS TEXT), '') AS b, entry_id AS c, kind AS d
                FROM (SELECT transaction_id, revoked_at FROM purchase) AS purchase
                    JOIN (SELECT transaction_id AS charged, entry_id, kind FROM ledger_entry) AS entry
                    ON charged = transaction_id ORDER BY entry_id
                """,
                """
                SELECT notification_id AS a, url AS b, state AS c, attempts AS d FROM notification_delivery
                ORDER BY notification_id
                """,
                """
                SELECT environment AS a, bundle_id AS b, url AS c, CAST(version AS TEXT) AS d
                FROM notification_address ORDER BY environment, bundle_id, url
                """,
                "SELECT environment AS a, name AS b, name AS c, name AS d FROM store_secret ORDER BY environment, name",
                """
                SELECT notification_id AS a, type AS b, bundle_id AS c, subtype AS d FROM notification
                ORDER BY notification_id
                """,
                """
                SELECT email AS a, storefront AS b, renewal_speed AS c, CAST(clock_offset AS TEXT) AS d FROM account
                ORDER BY email
                """,
                """
                SELECT account_id AS a, role AS b, family_id AS c, role AS d FROM family_member ORDER BY account_id
                """,
                "SELECT bundle_id AS a, user_id AS b, kind AS c, name AS d FROM app_upload ORDER BY user_id, kind",
            ].flatMap { sql in
                try connection.rows(sql).map { row in
                    let values: [String] = [try row.get("a"), try row.get("b"), try row.get("c"), try row.get("d")]
                    return values.joined(separator: "|")
                }
            }
        }
    }

    @Test("The list has every route of Connect for signed-in users")
    func routes() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let entries = ["sign-in", "sign-out", "forgotten", "setup", "invitation", "recovery"]
            let declared = try buildRouter(store.service).routes
                .filter { [.get, .post].contains($0.method) }
                .map { route in
                    Self.parameters.reduce("\(route.method.rawValue) \(route.path)") { path, name in
                        path.replacing("{\(name)}", with: ":\(name)")
                    }
                }
                .filter { route in
                    route.contains("/connect/") && !route.contains("/connect/v1/")
                        && !entries.contains { entry in route.contains(entry) }
                }
            // These have no form, and answer 405.
            let downloads = ["file", "table", "codes/:batch", "contacts"]
            let others =
                ["POST /connect/roles", "POST /connect/log", "POST /connect/transactions"]
                // A stream has no end: `ConnectLiveTests` opens it.
                + ["POST /connect/live", "POST /connect/live/stream", "GET /connect/live/stream"]
                + ["POST /connect/apps/:app/checklist", "POST /connect/apps/:app/contacts"]
                + downloads.map { "POST /connect/apps/:app/\($0)/download" }
                + [
                    "items", "reviews", "reviews/:app/:product/screenshot/:digest", "agreements/:number",
                    "apps/:app/images/:digest", "apps/:app/products/:product/images/:digest",
                ]
                .map { "POST /connect/\($0)" }
            let listed = (Self.attempts + Self.development + Self.servers).map { attempt in
                "\(attempt.form == nil ? "GET" : "POST") \(attempt.path.prefix { $0 != "?" })"
            }
            #expect(Set(declared) == Set(listed + others))
        }
    }

    /// The attempts of one store.
    enum Part: CaseIterable, Sendable {
        case registration, development, servers

        var attempts: [Attempt] {
            switch self {
            case .registration: ConnectRoleTests.attempts
            case .development: ConnectRoleTests.development
            case .servers: ConnectRoleTests.servers
            }
        }
    }

    @Test(
        "A refused user changes nothing, and pages open for all others",
        arguments: Engine.servers, Part.allCases)
    func refusals(engine: Engine, part: Part) async throws {
        try await engine.withHTTP(notifications: RecordedNotifications()) { store, client in
            let teams = try await ConnectTeams(in: store, client, naming: part.attempts)
            let before = try await Self.rows(of: store)
            for attempt in part.attempts {
                for visitor in ConnectVisitor.allCases {
                    let isAllowed = visitor.may(attempt)
                    // An allowed form changes the objects: the other test sends it.
                    if isAllowed && attempt.form != nil { continue }
                    let status = try await teams.request(attempt, by: visitor).status
                    #expect(
                        isAllowed ? status.code < 400 : [.forbidden, .notFound].contains(status),
                        "\(attempt.testDescription) by \(visitor): \(status)")
                }
                #expect(try await Self.rows(of: store) == before, "\(attempt.testDescription)")
            }
        }
    }

    @Test(
        "A form works for each user who may send it", arguments: Engine.servers,
        Part.allCases.flatMap(\.attempts).filter { $0.form != nil })
    func forms(engine: Engine, attempt: Attempt) async throws {
        try await engine.withHTTP(notifications: RecordedNotifications()) { store, client in
            let allowed = ConnectVisitor.allCases.filter { $0.may(attempt) }
            let teams = try await ConnectTeams(in: store, client, naming: [attempt], of: allowed)
            for (place, visitor) in allowed.enumerated() {
                let status = try await teams.request(attempt, by: visitor).status
                // A second user repeats the change of the first.
                let mayFail = attempt.mayLack || place > 0
                #expect(
                    status.code < 400 || mayFail && [.notFound, .conflict, .badRequest].contains(status),
                    "\(visitor): \(status)")
            }
            #expect(!allowed.isEmpty)
        }
    }

    @Test("A transaction's page has the buttons that the role may use", arguments: TeamRole.allCases)
    func transactionButtons(role: TeamRole) async throws {
        try await Engine.sqliteMemory.withHTTP(notifications: RecordedNotifications()) { store, client in
            let holder = try await store.setUpTeam()
            let user = role == .accountHolder ? holder : try await store.addUser(role, to: holder)
            let browser = try await ConnectBrowser(client, user, store)
            let page = try await browser.get("/connect/transactions/\(try await store.buyWithNotification().apple)")
                .text
            #expect(page.contains("value=\"refund\"") == role.may(.refundPurchases))
            #expect(page.contains("value=\"resend\"") == (role.may(.resendNotifications) && role.may(.seeTransactions)))
        }
    }

    @Test("The navigation and the buttons are those that the role may use", arguments: TeamRole.allCases)
    func buttons(role: TeamRole) async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let holder = try await store.setUpTeam()
            let user = role == .accountHolder ? holder : try await store.addUser(role, to: holder)
            let target = try await store.addUser(.developer, to: holder, email: "target@example.com")
            let browser = try await ConnectBrowser(client, user, store)
            let users = try await browser.get("/connect/users").text
            let page = try await browser.get("/connect/users/\(target.identifier)").text
            let isManager = role.may(.manageUsers)
            #expect(users.contains("value=\"invite\"") == isManager)
            #expect(users.contains("/connect/log") == role.may(.readLog))
            #expect(users.contains("value=\"account-holder\"") == role.may(.appointHolders))
            for decision in ["role", "recover", "remove"] {
                #expect(page.contains("value=\"\(decision)\"") == isManager, "\(decision)")
            }
            try await store.registerProduct(by: holder)
            let app = "/connect/apps/\(TestStore.bundleIdentifier)"
            #expect(
                try await browser.get("/connect/apps").text.contains("value=\"register\"") == role.may(.registerApps))
            let appPage = try await browser.get(app).text
            #expect(appPage.contains("value=\"change\"") == role.may(.registerApps))
            #expect(appPage.contains("new-product") == role.may(.editProducts))
            let product = try await browser.get("\(app)/products/banana").text
            #expect(product.contains("value=\"save\"") == role.may(.editProducts))
            #expect(users.contains("/connect/transactions\"") == role.may(.seeTransactions))
            #expect(users.contains("/connect/testers\"") == role.may(.seeTesters))
            #expect(users.contains("/connect/live\"") == role.may(.seeTesters))
            let ofHolder = try await browser.get("/connect/users/\(holder.identifier)").text
            #expect(ofHolder.contains("value=\"remove\"") == role.may(.appointHolders))
            let own = try await browser.get("/connect/users/\(user.identifier)").text
            #expect(own.contains("value=\"remove\"") == isManager && !own.contains("value=\"recover\""))
        }
    }
}
