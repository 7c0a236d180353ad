// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import Testing

@testable import StoreAgent

/// The pages of a queue's snapshot.
struct SnapshotPagesTests {
    private func page(
        _ numbers: Range<Int>, at position: Int64 = 5, next: Int64? = nil, account: String = "account",
        revoked: [RevokedInfo]? = nil
    ) -> QueueSnapshot {
        QueueSnapshot(
            position: EventPosition(account: account, number: position),
            transactions: numbers.map { number in
                TransactionInfo(
                    transactionIdentifier: "\(number)", originalTransactionIdentifier: "\(number)",
                    productIdentifier: "juice", quantity: 1, purchaseDate: 1, originalPurchaseDate: 1)
            },
            revoked: revoked, next: next.map { EventPosition(account: account, number: $0) })
    }

    @Test("A snapshot of one page is taken as it is")
    func onePage() throws {
        var pages = SnapshotPages()
        #expect(try pages.join(page(0..<3)) == page(0..<3))
        #expect(try pages.join(page(0..<0)) == page(0..<0))
    }

    @Test("Several pages become one snapshot, at the position of the first, and the next snapshot begins anew")
    func severalPages() throws {
        let revoked = [RevokedInfo(originalTransactionIdentifier: "9", productIdentifier: "apple", isEntitlement: true)]
        var pages = SnapshotPages()
        for _ in 0..<2 {
            #expect(try pages.join(page(0..<3, next: 3, revoked: revoked)) == nil)
            #expect(try pages.join(page(3..<5, at: 6, next: 5)) == nil)
            #expect(try pages.join(page(5..<7, at: 7)) == page(0..<7, revoked: revoked))
        }
        #expect(try pages.join(page(0..<1, next: 1)) == nil)
        #expect(try pages.join(page(0..<0)) == page(0..<1))
    }

    @Test("A page of another account, an empty one, and pages without end are refused")
    func refused() throws {
        var other = SnapshotPages()
        _ = try other.join(page(0..<1, next: 1))
        #expect(throws: StoreFailure.self) { try other.join(page(1..<2, account: "other")) }
        var empty = SnapshotPages()
        #expect(throws: StoreFailure.self) { try empty.join(page(0..<0, next: 1)) }
        var endless = SnapshotPages()
        let large = page(0..<50_000, next: 1)
        for _ in 0..<2 { #expect(try endless.join(large) == nil) }
        #expect(throws: StoreFailure.self) { try endless.join(large) }
    }
}
