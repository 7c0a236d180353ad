// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The sections of a transaction's page.
struct RecordSections {
    let record: PurchaseRecord
    let visit: ConnectVisit
    let words: RecordWords
    let names: EventWords

    init(_ record: PurchaseRecord, _ visit: ConnectVisit) {
        self.record = record
        self.visit = visit
        words = .words(visit.language)
        names = .words(visit.language)
    }

    /// The values, with the customer's view beside them.
    var values: ConsoleSection {
        ConsoleSection(facts: ConsoleFacts(lines: lines, aside: aside))
    }

    private var lines: [ConsoleFacts.Line] {
        let (purchase, language) = (record.purchase, visit.language)
        let original = TransactionIdentifier(purchase.originalTransactionIdentifier)
        let pages = PurchaseWords.words(language)
        let storefront =
            Storefront.named(purchase.storefront).map { StorefrontNames.name($0, in: language) } ?? purchase.storefront
        var lines: [ConsoleFacts.Line?] = [
            .init(words.transaction, purchase.transactionIdentifier.rawValue),
            purchase.isOriginal
                ? nil : .init(words.original, original.rawValue, address: TransactionPage.path(original)),
            .init(words.date, language.date(purchase.date)),
            .init(
                TransactionWords.words(language).app, record.app.name,
                address: AppPage.path(record.app.bundleIdentifier)),
            .init(words.product, purchase.productIdentifier.rawValue),
            .init(TransactionWords.words(language).kind, ProductWords.words(language).name(purchase.kind)),
            .init(words.quantity, language.number(purchase.quantity)),
            .init(words.price, PurchaseModel.price(of: purchase, language, pages)),
            .init(words.storefront, storefront),
            purchase.term.map { .init(words.until, language.date($0.expires)) },
            purchase.share.map { .init(words.sharedFrom, $0.transaction.rawValue) },
        ]
        lines += [
            record.accountToken.map { .init(words.accountToken, $0) },
            purchase.device.map { .init(words.device, $0.rawValue) },
            purchase.requestIdentifier.map { .init(words.request, $0.rawValue) },
            tester,
            .init(TransactionWords.words(language).state, state),
            .init(words.receipt, purchase.isInReceipt ? words.inReceipt : words.notInReceipt),
        ]
        return lines.compactMap { $0 }
    }

    /// Production's customers are the store's, and not the seller's.
    private var tester: ConsoleFacts.Line? {
        guard visit.environment == .sandbox else { return nil }
        return ConsoleFacts.Line(words.customer, record.account?.email ?? words.closed)
    }

    private var state: String {
        let states = TransactionWords.words(visit.language)
        if let revoked = record.purchase.revoked {
            return visit.language.labelled(words.revoked, visit.language.date(revoked))
        }
        return record.isUnfinished ? states.unfinished : states.valid
    }

    private var aside: ConsoleFacts.Aside {
        guard let account = record.account, let entry = record.customersView else {
            return ConsoleFacts.Aside(asideHeading: words.customersView, asideLines: [], asideNotes: [words.noView])
        }
        let reader = PageReader(
            account: account, language: visit.language, languages: [visit.language.rawValue], hasSession: true)
        let seen = PurchaseModel(reader, entry, environment: visit.environment, isProblem: false)
        return ConsoleFacts.Aside(
            asideHeading: words.customersView, asideLines: seen.lines.map { .init($0.name, $0.value) },
            asideNotes: [seen.state, seen.canAsk ? words.customerMayAsk : nil].compactMap { $0 })
    }

    /// The form of a refund, for a role that may send it, while an amount is
    /// left.
    var refund: [ConsoleSection] {
        guard visit.user.role.may(.refundPurchases), let left = record.left, left.milliunits > 0 else { return [] }
        return [
            ConsoleSection(
                heading: words.refund,
                paragraphs: [words.fill(\.refundNote, ["amount": visit.language.price(left)])],
                forms: [
                    ConsoleForm(
                        hidden: [.init(hiddenName: "refund", hiddenValue: visit.service.drawRefundIdentifier())],
                        fields: [
                            visit.field(
                                ConsoleField("amount", words.amount, value: visit.value("amount", left.decimal)))
                        ],
                        buttons: [.init(decision: "refund", label: words.refundButton, isGrave: true)])
                ])
        ]
    }

    var events: ConsoleSection {
        ConsoleSection(
            heading: words.events,
            entries: record.events.map { event in
                ConsoleEntry(name: names.name(event.kind), note: visit.language.date(event.time))
            },
            empty: record.events.isEmpty ? words.noEvents : nil)
    }

    var ledger: ConsoleSection {
        ConsoleSection(
            heading: words.ledger,
            entries: record.ledger.map { entry in
                ConsoleEntry(
                    name: visit.language.labelled(names.name(entry.kind), visit.language.price(entry.amount)),
                    details: entry.transactionIdentifier == record.purchase.transactionIdentifier
                        ? [] : [entry.transactionIdentifier.rawValue],
                    note: visit.language.date(entry.at))
            },
            empty: record.ledger.isEmpty ? words.noLedger : nil)
    }

    var notifications: ConsoleSection {
        ConsoleSection(
            heading: words.notifications, entries: record.notifications.map(entry),
            empty: record.notifications.isEmpty ? words.noNotifications : nil)
    }

    private func entry(_ listed: ListingNotifications.Listed) -> ConsoleEntry {
        let notification = listed.notification
        let kinds = [notification.kind.type, notification.kind.subtype].filter { !$0.isEmpty }
        let maySend = visit.user.role.may(.resendNotifications) && !listed.deliveries.isEmpty
        return ConsoleEntry(
            name: kinds.joined(separator: ", "),
            details: [notification.identifier] + (notification.payload == nil ? [words.notSigned] : [])
                + listed.deliveries.flatMap(details),
            note: visit.language.date(notification.created),
            forms: maySend
                ? [
                    ConsoleForm(
                        hidden: [.init(hiddenName: "notification", hiddenValue: notification.identifier)],
                        buttons: [.init(decision: "resend", label: words.resend)])
                ] : [])
    }

    private func details(_ delivery: NotificationDelivery) -> [String] {
        let attempts = delivery.attempts.suffix(10).map { attempt in
            words.fill(
                \.attempt, ["date": visit.language.date(attempt.at), "result": attempt.result.rawValue])
        }
        let due = delivery.due.map { words.fill(\.nextAttempt, ["date": visit.language.date($0)]) }
        return [visit.language.labelled(delivery.url.isolated, names.name(delivery.state))] + attempts
            + (due.map { [$0] } ?? [])
    }

    /// The purchases with the same original transaction, if there are some.
    var others: [ConsoleSection] {
        guard !record.others.isEmpty else { return [] }
        return [
            ConsoleSection(
                heading: words.others,
                entries: record.others.map { TransactionsPage.entry($0, record.app.name, visit) })
        ]
    }

    /// The signed transaction, to copy.
    func signed(_ text: String?) -> [ConsoleSection] {
        guard let text else { return [] }
        return [
            ConsoleSection(
                heading: words.signed, copies: [ConsoleCopy(label: words.signedNote, lines: [text])])
        ]
    }
}
