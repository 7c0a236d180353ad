// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent
@testable import StoreKit

/// Listings and listeners while the journal changes: a refund, or another
/// customer.
@Suite(.timeLimit(.hang))
struct CustomerChangeTests {
    private let device: JournalDevice

    init() throws {
        device = try JournalDevice()
    }

    /// The purchases 9, 8 and 7 of different products, the newest first.
    private func rows(refunded: String? = nil) throws -> [SignedRow] {
        try (7...9).reversed().map { number in
            var info = try device.signed("\(number)") { payload in
                payload.productId = "apple \(number)"
                payload.purchaseDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
                if "\(number)" == refunded { payload.revocationDate = Date(timeIntervalSince1970: 1_700_000_100) }
            }
            info.productIdentifier = "apple \(number)"
            return SignedRow(info, change: Int64(number))
        }
    }

    @Test("A listing ends when another customer signs in")
    func listings() async throws {
        let agent = device.agent
        for isOver in [false, true] {
            try await device.save(try rows())
            let (all, unfinished, entitlements) = (
                TransactionListing(.all), TransactionListing(.unfinished), EntitlementListing()
            )
            try await device.arrive("9")
            #expect(try await all.next(agent)?.payloadValue.id == 9)
            #expect(try await unfinished.next(agent)?.payloadValue.id == 9)
            #expect(try await entitlements.next(agent)?.payloadValue.id == 9)
            if isOver { try await device.save(try rows(), of: "other") } else { try await device.signIn("other") }
            device.look()
            #expect(try await all.next(agent) == nil)
            #expect(try await unfinished.next(agent) == nil)
            #expect(try await entitlements.next(agent) == nil)
        }
        device.stop()
    }

    @Test("A purchase that is refunded after its page was read is no entitlement")
    func refund() async throws {
        let agent = device.agent
        try await device.save(try rows())
        let (all, entitlements) = (TransactionListing(.all), EntitlementListing())
        #expect(try await all.next(agent)?.payloadValue.id == 9)
        #expect(try await entitlements.next(agent)?.payloadValue.id == 9)
        try await device.save(try rows(refunded: "8"))
        device.look()
        #expect(try await all.next(agent)?.payloadValue.revocationDate != nil)
        #expect(try await all.next(agent)?.payloadValue.id == 7)
        #expect(try await entitlements.next(agent)?.payloadValue.id == 7)
        #expect(try await all.next(agent) == nil)
        #expect(try await entitlements.next(agent) == nil)
        device.stop()
    }

    @Test("No update that waits for a slow listener is one of a customer who has signed out")
    func updates() async throws {
        let agent = device.agent
        try await device.save(try rows())
        let feed = TransactionFeed(hub: TransactionHub()) { _ in true }
        #expect(try await feed.next(agent)?.payloadValue.id == 7)
        try await device.signIn("other")
        var others = try rows()
        for index in others.indices { others[index].change += 10 }
        try await device.save([others[0]], of: "other")
        device.look()
        let next = try await feed.next(agent)
        #expect(try next?.payloadValue.id == 9)
        let delivered = try await agent.deliveredSignedTransactions()
        #expect(delivered == 18)
        device.stop()
    }

    @Test("An update that waits for a slow listener has the refund that came meanwhile")
    func refundedUpdate() async throws {
        let agent = device.agent
        try await device.save(try rows())
        let feed = TransactionFeed(hub: TransactionHub()) { _ in true }
        #expect(try await feed.next(agent)?.payloadValue.id == 7)
        // The refund is a later change.
        var changed = try rows(refunded: "8")
        changed[1].change = 10
        try await device.save(changed)
        device.look()
        #expect(try await feed.next(agent)?.payloadValue.id == 9)
        let last = try #require(try await feed.next(agent)).payloadValue
        #expect(last.id == 8 && last.revocationDate != nil)
        device.stop()
    }

    @Test("An update that waits for a slow listener isn't one of a purchase that the app has finished meanwhile")
    func finishedUpdate() async throws {
        let agent = device.agent
        try await device.save(try rows())
        let feed = TransactionFeed(hub: TransactionHub()) { _ in true }
        #expect(try await feed.next(agent)?.payloadValue.id == 7)
        await agent.finishSigned(.init(transactionIdentifier: "8", productIdentifier: "apple 8"))
        #expect(try await feed.next(agent)?.payloadValue.id == 9)
        device.stop()
    }

    @Test("Copies of a listener's iterator receive each update once")
    func copies() async throws {
        let agent = device.agent
        try await device.save(try rows())
        let feed = TransactionFeed(hub: TransactionHub()) { _ in true }
        let received = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for _ in 0..<3 { group.addTask { try await feed.next(agent)?.payloadValue.id } }
            return try await group.reduce(into: [UInt64]()) { $0.append($1 ?? 0) }
        }
        #expect(received.sorted() == [7, 8, 9])
        device.stop()
    }

    @Test("The first reading for a customer waits for the customer's transactions, once")
    func first() async throws {
        let agent = device.agent
        try await device.save(try rows())
        try await agent.waitForFirstSignedTransactions(atMost: .beyondTests)
        try await device.signIn("other")
        let reading = Task {
            try await agent.waitForFirstSignedTransactions(atMost: .beyondTests)
            return try await agent.signedTransactions().map(\.transactionIdentifier)
        }
        for _ in 0..<100 { await Task.yield() }
        try await device.save([try rows()[0]], of: "other")
        device.look()
        #expect(try await reading.value == ["9"])

        // A device that is offline waits once.
        try await device.signIn("third")
        try await agent.waitForFirstSignedTransactions(atMost: .milliseconds(1))
        try await agent.waitForFirstSignedTransactions(atMost: .beyondTests)
        #expect(try await agent.signedTransactions().isEmpty)
        device.stop()
    }
}
