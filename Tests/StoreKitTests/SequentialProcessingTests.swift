// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreKit

/// The listing of docs/sequential-processing.md, over several launches.
@MainActor
struct SequentialProcessingTests {
    @Test("Transactions are delivered one at a time, oldest first, and finished then")
    func oneAtATime() {
        let app = Deliveries()
        let queue = FinishingQueue()
        app.paymentQueue(queue, updatedTransactions: [.bought("a"), .bought("b")])
        app.paymentQueue(queue, updatedTransactions: [.bought("b"), .bought("c")])
        #expect(app.begun == ["a"] && queue.finished.isEmpty)

        app.end(isDelivered: true)
        #expect(queue.finished == ["a"] && app.begun == ["a", "b"])
        app.end(isDelivered: true)
        app.end(isDelivered: true)
        #expect(queue.finished == ["a", "b", "c"] && app.begun == ["a", "b", "c"])
    }

    @Test("An undelivered transaction stays in the queue, and is delivered after the next launch")
    func relaunch() {
        let queue = FinishingQueue()
        let first = Deliveries()
        first.paymentQueue(queue, updatedTransactions: [.bought("a"), .bought("b"), .bought("c")])
        first.end(isDelivered: true)
        first.end(isDelivered: false)
        // The process dies while it delivers the third.
        #expect(queue.finished == ["a"] && first.begun == ["a", "b", "c"])

        let second = Deliveries()
        second.paymentQueue(queue, updatedTransactions: [.bought("b"), .bought("c")])
        second.end(isDelivered: true)
        second.end(isDelivered: true)
        #expect(queue.finished == ["a", "b", "c"])
    }

    @Test("A purchase refunded while it waits isn't delivered, and a failed one is finished immediately")
    func refunded() {
        let queue = FinishingQueue()
        let app = Deliveries()
        app.paymentQueue(queue, updatedTransactions: [.bought("a"), .bought("b"), .failed("c")])
        #expect(queue.finished == ["c"])
        app.paymentQueue(queue, removedTransactions: [.bought("a"), .bought("b")])
        app.end(isDelivered: true)
        #expect(app.begun == ["a"])
    }

    @Test("The document shows the tested listing")
    func document() throws {
        let here = URL(fileURLWithPath: #filePath)
        let document = try String(
            contentsOf: here.deletingLastPathComponent().appendingPathComponent(
                "../../docs/sequential-processing.md"), encoding: .utf8)
        let source = try String(
            contentsOf: here.deletingLastPathComponent().appendingPathComponent("Deliveries.swift"), encoding: .utf8)
        let listing = try #require(
            document.components(separatedBy: "```swift\n").last?.components(separatedBy: "```").first)
        for line in listing.split(separator: "\n") {
            #expect(source.contains(line), "\(line)")
        }
        #expect(listing.split(separator: "\n").count > 30)
    }

    private final class FinishingQueue: SKPaymentQueue, @unchecked Sendable {
        // @unchecked because the test uses it on the main actor only.
        private(set) var finished: [String] = []

        override func finishTransaction(_ transaction: SKPaymentTransaction) {
            finished.append(transaction.payment.productIdentifier)
        }
    }
}

extension SKPaymentTransaction {
    fileprivate static func bought(_ product: String) -> SKPaymentTransaction { entry(product, .purchased) }
    fileprivate static func failed(_ product: String) -> SKPaymentTransaction { entry(product, .failed) }

    private static func entry(_ product: String, _ state: SKPaymentTransactionState) -> SKPaymentTransaction {
        var contents = Contents()
        contents.entry = product
        contents.state = state
        contents.payment = SKPayment(productIdentifier: product)
        return SKPaymentTransaction(contents)
    }
}
