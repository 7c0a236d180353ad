// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDomain

/// The queues and the receipt that a finished transaction leaves.
struct FinishDecisionTests {
    @Test("A finished renewal leaves the queue of one device only")
    func renewal() {
        #expect(FinishDecision.finishing(.autoRenewable) == .leaveOneQueue)
    }

    @Test("A finished non-consumable leaves all queues and stays in the receipt")
    func nonConsumable() {
        #expect(FinishDecision.finishing(.nonConsumable) == .leaveAllQueues(andReceipt: false))
    }

    @Test(
        "A finished product that is delivered once leaves all queues and the receipt",
        arguments: [Product.Kind.consumable, .nonRenewing])
    func deliveredOnce(kind: Product.Kind) {
        #expect(FinishDecision.finishing(kind) == .leaveAllQueues(andReceipt: true))
    }
}
