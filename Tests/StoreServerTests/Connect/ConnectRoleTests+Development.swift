// SPDX-License-Identifier: Apache-2.0

@testable import StoreDomain
@testable import StoreServer

extension ConnectRoleTests {
    /// The pages and forms of hosted content, the review, store pages, items, transactions, testers, the live page and the check
    /// list. `:tester` stands for an account of the team.
    static let development: [Attempt] = pages + forms

    private static let pages = [
        Attempt(path: "/connect/transactions", action: .seeTransactions),
        Attempt(path: "/connect/transactions/:transaction", action: .seeTransactions, namesObject: true),
        Attempt(path: "/connect/apps/:app/products/:product/content", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/reviews", action: .reviewProducts, namesObject: true),
        Attempt(path: "/connect/reviews/:app/:product", action: .reviewProducts, namesObject: true),
        Attempt(
            path: "/connect/reviews/:app/:product/screenshot/:digest", action: .reviewProducts, namesObject: true),
        Attempt(path: "/connect/apps/:app/store-page", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/apps/:app/versions", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/items", action: .seeApps),
        Attempt(path: "/connect/new-item", action: .editProducts),
        Attempt(path: "/connect/items/:item", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/apps/:app/checklist", action: .seeApps, namesObject: true),
        Attempt(path: "/connect/apps/:app/contacts", action: .seeContacts, namesObject: true),
        Attempt(path: "/connect/apps/:app/contacts/download", action: .seeContacts, namesObject: true),
        Attempt(path: "/connect/live", action: .seeTesters),
        Attempt(path: "/connect/live?app=:app", action: .seeTesters, namesObject: true),
        Attempt(path: "/connect/testers", action: .seeTesters),
        Attempt(path: "/connect/testers/:tester", action: .seeTesters, namesObject: true),
    ]

    private static let forms: [Attempt] =
        [
            Attempt(
                path: "/connect/transactions/:transaction",
                form: ["decision": "refund", "amount": "0.01", "refund": String(repeating: "a1", count: 16)],
                action: .refundPurchases, namesObject: true),
            Attempt(
                path: "/connect/transactions/:transaction",
                form: ["decision": "resend", "notification": ":notification"],
                action: .resendNotifications, namesObject: true),
            Attempt(
                path: "/connect/apps/:app/products/:product/content", form: ["decision": "upload"],
                action: .editProducts, namesObject: true, mayLack: true),
            Attempt(
                path: "/connect/apps/:app/products/:product/content",
                form: ["decision": "remove", "version": "1.0"], action: .editProducts, namesObject: true),
            Attempt(
                path: "/connect/reviews/:app/:product",
                form: ["decision": "reject", "version": "1", "reason": "A reason"], action: .reviewProducts,
                namesObject: true, mayLack: true),
            Attempt(
                path: "/connect/new-item",
                form: [
                    "decision": "add", "kind": "song", "version": "1", "link": "https://seller.example/song",
                    "price": "1", "title-en_US": "Song",
                ], action: .editProducts),
            Attempt(
                path: "/connect/items/:item",
                form: [
                    "decision": "save", "kind": "song", "version": "2", "link": "https://seller.example/song",
                    "price": "1", "title-en_US": "Song", "edits": "0",
                ], action: .editProducts, namesObject: true),
            Attempt(
                path: "/connect/items/:item", form: ["decision": "upload", "image": "icon"], action: .editProducts,
                namesObject: true, mayLack: true),
            Attempt(
                path: "/connect/items/:item", form: ["decision": "remove-image", "place": "0"],
                action: .editProducts, namesObject: true, mayLack: true),
            Attempt(
                path: "/connect/testers",
                form: ["decision": "add", "email": "new@example.com", "password": "x", "storefront": "USA"],
                action: .manageTesters),
        ]
        + storePageForms.map {
            Attempt(
                path: "/connect/apps/:app/store-page", form: $0, action: .editProducts, namesObject: true,
                mayLack: $0["decision"] != "save")
        }
        + ["add", "release", "remove"].map { decision in
            Attempt(
                path: "/connect/apps/:app/versions",
                form: ["decision": decision, "version": "1.0", "release": "1.0"], action: .editProducts,
                namesObject: true, mayLack: decision == "release")
        }
        + testerForms.map {
            Attempt(
                path: "/connect/testers/:tester", form: $0, action: .manageTesters, namesObject: true,
                mayLack: lacking.contains($0["decision"] ?? ""))
        }

    private static let storePageForms: [[String: String]] = [
        [
            "decision": "save", "link": "https://seller.example/app", "tier": "1", "title-en_US": "Fruit",
            "version": "0",
        ],
        ["decision": "upload", "image": "screenshot"], ["decision": "remove-image", "place": "1"],
    ]

    /// The decisions about testers whose object is missing.
    private static let lacking: Set = [
        "save", "family-add", "family-leave", "family-end", "approve", "decline",
    ]

    private static let testerForms: [[String: String]] = [
        ["decision": "save", "storefront": "DEU", "before": "USA"], ["decision": "move", "by": "1d"],
        ["decision": "speed", "speed": "month=5m"], ["decision": "clear"], ["decision": "family-begin"],
        ["decision": "family-add", "email": "anna@example.com", "role": "child"], ["decision": "family-leave"],
        ["decision": "family-end"], ["decision": "approve", "transaction": "1"],
        ["decision": "decline", "transaction": "1"], ["decision": "remove"],
    ]
}
