// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreService

/// The decisions of the store's people about customers' requests for refunds.
struct RefundRequestTests {
    private static let steps = [
        "approverefund:before", "refund:before", "refund:after", "giveback:before", "giveback:saving",
        "giveback:after", "approverefund:after",
    ]

    @Test(
        "A process dies at each step of an approval, a repeated approval completes it, and one refund is made",
        arguments: Engine.stores, steps)
    func dying(engine: Engine, step: String) async throws {
        try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
            let anna = try await dying.addAccount()
            let phone = try await dying.addDevice()
            let apple = TransactionIdentifier(
                try await phone.buy("apple", request: "a", as: anna).transactionIdentifier)
            let asked = try await AskingForRefund(dying.context)(
                apple, of: anna.identifier, because: .broken, comment: nil)
            _ = try? await DecidingRefund(dying.context).approve(asked.identifier)
            #expect(database.isDead, "\(step) wasn't reached")

            let store = try await revive()
            try await store.recover()
            let decide = DecidingRefund(store.context)
            #expect(try await decide.waiting(after: nil).map(\.status) == [.approving])
            await #expect(throws: DomainError(.decided, "")) { _ = try await decide.decline(asked.identifier) }
            for _ in 1...2 { #expect(try await decide.approve(asked.identifier).status == .approved) }
            #expect(try await decide.waiting(after: nil).isEmpty)
            #expect(try await store.ledger() == [990, -990])
            #expect(try await store.count("refund") == 1)
        }
    }

    @Test("Many requests of one purchase at the same time are one row", arguments: Engine.stores)
    func concurrent(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = TransactionIdentifier(
                try await phone.buy("apple", request: "a", as: anna).transactionIdentifier)
            let ask = AskingForRefund(store.context)
            let found = try await withThrowingTaskGroup(of: RefundIdentifier.self) { group in
                for _ in 1...8 {
                    group.addTask {
                        try await ask(apple, of: anna.identifier, because: .other, comment: nil).identifier
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(found.count == 1)
            #expect(try await store.count("refund_request") == 1)
        }
    }

    @Test("A status changes once, and the opposite decision is refused")
    func decisions() throws {
        var request = RefundRequest(
            identifier: "r", account: "a", transaction: "1", reason: .other, comment: nil, status: .open,
            created: WallTime(milliseconds: 0))
        #expect(try request.decided(approved: true) == .approving)
        #expect(try request.decided(approved: false) == .declined)
        request.status = .approving
        #expect(try request.decided(approved: true) == nil)
        #expect(throws: DomainError.self) { try request.decided(approved: false) }
        request.status = .declined
        #expect(try request.decided(approved: false) == nil)
        #expect(throws: DomainError.self) { try request.decided(approved: true) }
    }
}
