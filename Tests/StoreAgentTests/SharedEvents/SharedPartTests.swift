// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import Testing

@testable import StoreAgent

/// The place where the next request for an app of a shared stream begins.
struct SharedPartTests {
    private func position(_ number: Int64, of account: String = "anna") -> EventPosition {
        EventPosition(account: account, number: number)
    }

    private func snapshot(at number: Int64?, next: Int64? = nil, transactions: [String] = []) -> StoreEvent {
        .snapshot(
            QueueSnapshot(
                position: number.map { position($0) },
                transactions: transactions.map { identifier in
                    TransactionInfo(
                        transactionIdentifier: identifier, originalTransactionIdentifier: identifier,
                        productIdentifier: "juice", quantity: 1, purchaseDate: 1, originalPurchaseDate: 1)
                }, next: next.map { position($0) }))
    }

    private func part(after number: Int64?, newsNumber: Int64? = nil) -> SharedPart {
        SharedPart(
            StreamedApp(bundleIdentifier: "fruit", position: number.map { position($0) }, newsNumber: newsNumber))
    }

    @Test("A numbered event moves the position, and news move their number")
    func positions() {
        var part = part(after: 3, newsNumber: 7)
        #expect(part.take(.opened(newsNumber: 7), size: 1) == .open)
        #expect(part.take(.position(position(4)), size: 5) == .deliver(.position(position(4)), size: 5, isLast: false))
        let news = StoreEvent.request(requestIdentifier: "r", number: 9)
        #expect(part.take(news, size: 2) == .deliver(news, size: 2, isLast: false))
        #expect(part.app.position == position(4) && part.app.newsNumber == 9)
        // A hint that an account's event has caused has no number.
        _ = part.take(.request(requestIdentifier: "r"), size: 2)
        _ = part.take(.priceIncreases([]), size: 2)
        #expect(part.app.position == position(4) && part.app.newsNumber == 9)
    }

    @Test("An app without a number of news goes on after the one with which the store began")
    func firstNews() {
        var part = part(after: 3)
        _ = part.take(.opened(newsNumber: 40), size: 1)
        #expect(part.app.newsNumber == 40)
        part.begin()
        _ = part.take(.opened(newsNumber: 41), size: 1)
        #expect(part.app.newsNumber == 40)
    }

    @Test("A snapshot has its position when its last page was received")
    func pages() {
        var part = part(after: nil)
        _ = part.take(.opened(newsNumber: 1), size: 1)
        #expect(part.take(snapshot(at: 9, next: 4, transactions: ["1"]), size: 10) == .nothing)
        #expect(part.app.position == nil)
        let whole = snapshot(at: 9, transactions: ["1", "2"])
        #expect(
            part.take(snapshot(at: 9, transactions: ["2"]), size: 11) == .deliver(whole, size: 21, isLast: false))
        #expect(part.app.position == position(9))
    }

    @Test("A snapshot that was cut between two pages comes once, as a whole, with the next request")
    func cutPages() {
        var part = part(after: nil)
        _ = part.take(.opened(newsNumber: 1), size: 1)
        _ = part.take(snapshot(at: 9, next: 4, transactions: ["1"]), size: 10)

        part.begin()
        _ = part.take(.opened(newsNumber: 1), size: 1)
        let whole = snapshot(at: 10, transactions: ["2"])
        #expect(part.take(whole, size: 11) == .deliver(whole, size: 11, isLast: false))
    }

    @Test("A snapshot ends a sequence that has events, if it comes with a later request")
    func discontinuity() {
        var part = part(after: 3)
        _ = part.take(.opened(newsNumber: 1), size: 1)
        _ = part.take(.position(position(4)), size: 1)
        // The store may send one within a request, as to an app that is alone.
        let within = snapshot(at: 6)
        #expect(part.take(within, size: 1) == .deliver(within, size: 1, isLast: false))

        part.begin()
        _ = part.take(.opened(newsNumber: 1), size: 1)
        #expect(part.take(snapshot(at: 8), size: 1) == .end(nil))
    }

    @Test("A device without an account gets no second empty snapshot, and a sequence ends when it has one")
    func noAccount() {
        var part = part(after: nil)
        _ = part.take(.opened(newsNumber: 1), size: 1)
        let empty = snapshot(at: nil)
        #expect(part.take(empty, size: 1) == .deliver(empty, size: 1, isLast: false))
        part.begin()
        #expect(part.take(empty, size: 1) == .nothing)
        part.begin()
        #expect(part.take(snapshot(at: 1), size: 1) == .end(nil))
    }

    @Test("A refusal, and a sign-in, are an app's last event")
    func ends() {
        var part = part(after: 3)
        #expect(part.take(.refused(StoreFailure(.notFound, "no app")), size: 1) == .end(StoreFailure(.notFound, "")))
        let changed = StoreEvent.accountChanged(number: 8)
        #expect(part.take(changed, size: 1) == .deliver(changed, size: 1, isLast: true))
    }

    @Test("Pages of two accounts end the sequence with an error")
    func mixedPages() {
        var part = part(after: nil)
        _ = part.take(snapshot(at: 9, next: 4, transactions: ["1"]), size: 1)
        #expect(part.take(snapshot(at: nil), size: 1) == .end(StoreFailure(.unreadableAnswer, "")))
    }
}
