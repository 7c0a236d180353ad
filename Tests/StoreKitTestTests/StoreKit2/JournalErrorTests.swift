// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreKit
import StoreTestSupport
import Testing

@testable import StoreAgent
@testable import StoreKitTest

/// The listeners of StoreKit 2 while the journal can't be read.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct JournalErrorTests {
    private let session: SKTestSession

    init() throws {
        session = try Configuration().session()
    }

    @Test("A journal that can't be read for a while ends no listener of messages")
    func messages() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        _ = try await bought("small")
        try Self.hideRenewals(of: session)
        let listener = try Self.listener(session) { await nextMessage()?.reason }
        try Self.showRenewals(of: session)
        try session.advance(by: .seconds(40 * 86_400))
        #expect(try await listener.value == .billingIssue)
    }

    @Test("A journal that can't be read for a while ends no listener of subscriptions")
    func statuses() async throws {
        _ = try await bought("small")
        let listener = try Self.listener(session) { [session] in
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            try Self.hideRenewals(of: session)
            return await updates.next()?.state
        }
        try Self.showRenewals(of: session)
        try session.expireSubscription(productIdentifier: "small")
        #expect(try await listener.value == .expired)
    }

    /// A listener that has made its first attempt.
    private nonisolated static func listener<Value: Sendable>(
        _ session: SKTestSession, _ listen: @escaping @Sendable () async throws -> Value
    ) throws -> Task<Value, any Error> {
        let executor = try session.host().executor
        let listener = Task(executorPreference: executor) { try await listen() }
        executor.settle()
        return listener
    }

    private nonisolated static func hideRenewals(of session: SKTestSession) throws {
        try session.host().agent.journal.database.writeAndWait {
            try $0.run("ALTER TABLE signed_renewal RENAME TO hidden_renewal")
        }
    }

    private nonisolated static func showRenewals(of session: SKTestSession) throws {
        try session.host().agent.journal.database.writeAndWait {
            try $0.run("ALTER TABLE hidden_renewal RENAME TO signed_renewal")
        }
    }
}
