// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The values of the templates for a receipt, and for a reported problem.
struct PurchaseModel: PageModel {
    /// A line of the receipt.
    struct Line {
        var name: String
        var value: String
    }

    /// A choice of the form.
    struct Choice {
        var value: String
        var text: String
    }

    let page: PageFrame
    let words: PurchaseWords
    let title: String
    let environment: String
    let account: String
    let product: String
    let lines: [Line]
    let address: String
    /// The seller's address of an item; `nil` for every other product, and after
    /// a refund.
    let link: PageLink?
    /// The state of the refund; `nil` when nothing was asked for.
    let state: String?
    /// Whether the customer can ask for a refund.
    let canAsk: Bool
    let reasons: [Choice]
    var comment = ""
    let asksForPassword: Bool
    let email: String
    var message: PageMessage?

    /// `isProblem` makes the page on which a problem is reported.
    init(_ reader: PageReader, _ entry: HistoryEntry, environment: StoreEnvironment, isProblem: Bool) {
        let words = PurchaseWords.words(reader.language)
        page = PageFrame(reader.language, at: .purchases)
        self.words = words
        title = isProblem ? words.titleProblem : words.titleReceipt
        self.environment = environment.rawValue
        account = reader.account.email
        product = Self.title(of: entry, reader)
        lines = Self.lines(entry, product: product, reader, words)
        address = Self.address(of: entry.purchase)
        link = entry.purchase.revoked == nil ? entry.item.map { .seller(of: $0.item, in: reader.language) } : nil
        state = Self.state(entry, reader.language, words)
        let waits = entry.request?.status.waits == true
        canAsk = entry.purchase.price.milliunits > 0 && entry.purchase.revoked == nil && !waits
        reasons = RefundRequest.Reason.allCases.map { Choice(value: $0.rawValue, text: words[keyPath: $0.text]) }
        asksForPassword = !reader.hasSession
        email = reader.account.email
    }

    static func address(of purchase: Purchase) -> String {
        "\(AccountPlace.purchases.rawValue)/\(purchase.transactionIdentifier)"
    }

    static func title(of entry: HistoryEntry, _ reader: PageReader) -> String {
        entry.product.map { SubscriptionText.title($0, in: reader.account.storefront, reader.languages) }
            ?? entry.purchase.productIdentifier.rawValue
    }

    static func price(of purchase: Purchase, _ language: PageLanguage, _ words: PurchaseWords) -> String {
        purchase.price.milliunits == 0 ? words.free : language.price(purchase.price)
    }

    private static func lines(
        _ entry: HistoryEntry, product: String, _ reader: PageReader, _ words: PurchaseWords
    ) -> [Line] {
        let (purchase, language) = (entry.purchase, reader.language)
        var lines = [
            Line(name: words.order, value: purchase.transactionIdentifier.rawValue),
            Line(name: words.date, value: language.date(purchase.date)),
            Line(name: words.app, value: entry.app.name),
            Line(name: words.product, value: product),
            Line(name: words.quantity, value: language.number(purchase.quantity)),
        ]
        if let item = entry.item {
            lines.append(Line(name: ItemWords.words(language).version, value: item.version))
        }
        if let term = purchase.term {
            lines.append(
                Line(name: words.period, value: words.fill(\.periodUntil, ["end": language.date(term.expires)])))
        }
        lines.append(Line(name: words.store, value: purchase.storefront))
        lines.append(Line(name: words.price, value: price(of: purchase, language, words)))
        return lines
    }

    private static func state(_ entry: HistoryEntry, _ language: PageLanguage, _ words: PurchaseWords) -> String? {
        if let revoked = entry.purchase.revoked {
            let text = entry.purchase.revokedPart == nil ? \PurchaseWords.refundedOn : \.partlyRefundedOn
            return words.fill(text, ["date": language.date(revoked)])
        }
        switch entry.request?.status {
        case .open, .approving: return words.waits
        case .approved: return words.approved
        case .declined: return words.declined
        case nil: return nil
        }
    }
}

extension RefundRequest.Reason {
    /// The text of the choice.
    fileprivate var text: KeyPath<PurchaseWords, String> {
        switch self {
        case .unintended: \.unintended
        case .child: \.child
        case .missing: \.missing
        case .broken: \.broken
        case .unsatisfied: \.unsatisfied
        case .legal: \.legal
        case .other: \.other
        }
    }
}
