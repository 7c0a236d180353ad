// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreTestSupport
import Testing

@testable import StoreKitTest

/// The customer's requests for a refund, from an app.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct RefundRequestTests {
    private let session: SKTestSession

    init() throws {
        session = try Configuration().session()
    }

    @Test("A request that is sent is a success, and the refund is an update")
    func success() async throws {
        let apple = try await bought("apple")
        await apple.finish()
        let status = try await apple.beginRefundRequest()
        #expect(status == .success)
        #expect(await products(Transaction.currentEntitlements) == [])
        let update = try #require(await firstVerified(Transaction.updates))
        #expect(update.id == apple.id && update.revocationDate != nil && update.revocationReason == .other)
        await #expect(throws: Transaction.RefundRequestError.ineligible) { try await apple.beginRefundRequest() }
    }

    @Test("A form that the customer closes is cancelled, and one that the customer sends is a success")
    func form() async throws {
        let apple = try await bought("apple")
        session.disableDialogs = false
        let closed = Task { try await apple.beginRefundRequest() }
        let first = try await answer(closed) { try session.cancelDialogs() }.get()
        #expect(first == .userCancelled)
        #expect(await products(Transaction.currentEntitlements) == ["apple"])
        let sent = Task { try await apple.beginRefundRequest() }
        let second = try await answer(sent) { try session.confirmDialogs() }.get()
        #expect(second == .success)
        #expect(await products(Transaction.currentEntitlements) == [])
    }

    @Test("A form that waits is closed with its session's store")
    func clearing() async throws {
        let apple = try await bought("apple")
        session.disableDialogs = false
        let request = try Self.request(of: apple, session)
        session.clearTransactions()
        #expect(try await request.value == .userCancelled)
    }

    @Test("All forms end when the store refuses one of them")
    func refused() async throws {
        let (apple, juice) = (try await bought("apple"), try await bought("juice"))
        session.disableDialogs = false
        let requests = try [Self.request(of: apple, session), Self.request(of: juice, session)]
        try session.refundTransaction(identifier: UInt(apple.id))
        let error = #expect(throws: SKTestError.self) { try session.confirmDialogs() }
        #expect(error?.code == .invalidAction)
        for request in requests { _ = try await request.value }
        #expect(await products(Transaction.unfinished) == ["juice"])
    }

    @Test("A cancelled task doesn't wait for its form")
    func cancellation() async throws {
        let apple = try await bought("apple")
        session.disableDialogs = false
        let request = try Self.request(of: apple, session)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
    }

    @Test("A purchase that the customer doesn't have can't be refunded")
    func unknown() async throws {
        _ = try await bought("apple")
        await #expect(throws: Transaction.RefundRequestError.failed) {
            try await Transaction.beginRefundRequest(for: 7)
        }
    }

    /// A request whose form is shown.
    private nonisolated static func request(
        of transaction: Transaction, _ session: SKTestSession
    ) throws -> Task<Transaction.RefundRequestStatus, any Error> {
        let executor = try session.host().executor
        let request = Task(executorPreference: executor) { try await transaction.beginRefundRequest() }
        executor.settle()
        return request
    }
}
