// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The account changes between two steps of a purchase. A change that is made
/// before the reservation applies to the purchase; a later one doesn't.
struct AccountChangeTests {
    @Test(
        "A sheet is confirmed, and the account changes at one of the steps",
        arguments: Engine.stores, AccountChange.allCases)
    func onTheSheet(engine: Engine, change: AccountChange) async throws {
        let hook = StepHook()
        try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
            try await nodes.first.sellApplesInJapan()
            for (number, step) in PurchaseSteps.onTheSheet.enumerated() {
                let customer = try await nodes.customer(number)
                let account = customer.account
                let sheet = try await customer.appleSheet(request: "r-\(number)")
                hook.at(step) { try blocking { try await change.make(for: account, on: nodes.second) } }

                try await allowingRefusal {
                    _ = try await nodes.first.service.buy(onSheet: sheet, as: account, shown: nil)
                }

                let isBefore = PurchaseSteps.beforeReservation.contains(step)
                try await check(
                    account, expected: isBefore ? change.pricesOnTheSheet : [.appleInUSA], at: step, nodes)
                try checkRefusal(of: change, at: step, hook)
                if change == .askToBuy, isBefore {
                    try await nodes.second.service.approve(try await nodes.second.onlyUndecided())
                    try await check(account, expected: [.appleInUSA], at: "approval", nodes)
                }
            }
            try await nodes.first.checkMoney()
        }
    }

    @Test(
        "A request to buy is approved, and the account changes at one of the steps",
        arguments: Engine.stores, AccountChange.allCases)
    func whileApproving(engine: Engine, change: AccountChange) async throws {
        let hook = StepHook()
        try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
            try await nodes.first.sellApplesInJapan()
            for (number, step) in PurchaseSteps.ofApproval.enumerated() {
                let customer = try await nodes.customer(number)
                let account = customer.account
                try await AccountChange.askToBuy.make(for: account, on: nodes.first)
                let asked = try await customer.phone.ask("apple", request: "r-\(number)")
                #expect(asked.status == .deferred)
                let request = try await nodes.first.onlyUndecided()
                hook.at(step) { try blocking { try await change.make(for: account, on: nodes.second) } }

                try await allowingRefusal { _ = try await nodes.first.service.approve(request) }

                let isBefore = PurchaseSteps.beforeReservation.contains(step)
                try await check(
                    account, expected: isBefore ? change.pricesOfApproval : [.appleInUSA], at: step, nodes)
                try checkRefusal(of: change, at: step, hook)
            }
            #expect(try await nodes.first.service.undecided().isEmpty)
            try await nodes.first.checkMoney()
        }
    }

    @Test(
        "The storefront moves after its price was shown: the sheet answers with the new price, and charges that one",
        arguments: Engine.stores)
    func shownPrice(engine: Engine) async throws {
        let hook = StepHook()
        try await engine.withNodes(faults: { hook.reach($0) }) { nodes in
            try await nodes.first.sellApplesInJapan()
            for (number, step) in PurchaseSteps.beforeReservation.enumerated() {
                let customer = try await nodes.customer(number)
                let account = customer.account
                let sheet = try await customer.appleSheet(request: "r-\(number)")
                hook.at(step) { try blocking { try await AccountChange.move.make(for: account, on: nodes.second) } }

                let refusal = await #expect(throws: DomainError.self, "\(step)") {
                    try await nodes.first.service.buy(
                        onSheet: sheet, as: account, shown: AgreedTerms(price: Price.appleInUSA.money))
                }

                #expect(refusal?.code == .priceChanged, "\(step)")
                try await check(account, expected: [], at: step, nodes)
                // The account as it was before the move: only its identifier is used.
                _ = try await nodes.first.service.buy(
                    onSheet: sheet, as: account, shown: AgreedTerms(price: Price.appleInJapan.money))
                try await check(account, expected: [.appleInJapan], at: step, nodes)
            }
            try await nodes.first.checkMoney()
        }
    }

    /// Requires that closing an account is refused while a payment is under
    /// way, and that every other change is made.
    private func checkRefusal(of change: AccountChange, at step: String, _ hook: StepHook) throws {
        let isRefused = change == .close && PurchaseSteps.underWay.contains(step)
        let expected: DomainError.Code? = isRefused ? .underWay : nil
        let refusal = try hook.refusal()
        #expect(refusal == expected, "\(change) at \(step)")
    }

    /// Compares an account's purchases and payments with the prices that it
    /// must have paid.
    private func check(_ account: Account, expected: [Price], at step: String, _ nodes: Nodes) async throws {
        let purchases = try await nodes.first.purchases(of: account)
        #expect(purchases == expected, "purchases of a change at \(step)")
        let payments = try await nodes.first.payments(of: account)
        #expect(payments == expected, "payments of a change at \(step)")
    }
}

extension Customer {
    /// Asks for an apple and returns the token of its sheet.
    func appleSheet(request: String) async throws -> String {
        try phone.token(try await phone.ask("apple", request: request).sheet)
    }
}
