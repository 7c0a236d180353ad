// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDomain

/// The queues and the receipt that a finished transaction leaves.
struct FinishDecisionTests {
    @Test("A finished renewal leaves the queue of one device only")
    func renewal() {
        #expect(FinishDecision.finishing(.autoRenewable) == .leaveOneQueue)
    }

    @Test(
        "A finished product that isn't renewed leaves all queues, and a consumable the receipt",
        arguments: [Product.Kind.consumable, .nonConsumable, .nonRenewing])
    func deliveredOnce(kind: Product.Kind) {
        #expect(FinishDecision.finishing(kind) == .leaveAllQueues(andReceipt: kind == .consumable))
    }
}
