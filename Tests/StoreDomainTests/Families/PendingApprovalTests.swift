// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// An approval whose payment a parent's bank answers later, on every engine.
@Suite(.timeLimit(.hang))
struct PendingApprovalTests {
    /// A child whose request a parent has approved, and the payment at the bank.
    private func approved(
        in store: TestStore, by parent: KeyPath<Household, Account> = \.olga
    ) async throws -> (home: Household, number: TransactionIdentifier, payment: PaymentIdentifier) {
        let home = try await Household(in: store)
        try await store.answerPayments { $0.hasAction = true }
        let number = try await home.ask("apple", request: "r1")
        try await home.approve(number, by: home[keyPath: parent])
        return (home, number, try #require(try await store.payment("pending")))
    }

    /// The child leaves, grows up, or loses the family.
    private func leave(_ how: String, _ home: Household) async throws {
        switch how {
        case "leave": _ = try await home.store.families.remove(home.carl.email)
        case "grow up": _ = try await home.store.families.setRole(.adult, of: home.carl.email)
        default: try await home.store.families.end(organiser: home.olga.email)
        }
    }

    @Test(
        "A request fails when the bank declines after the child has left, and no later parent sees it",
        arguments: Engine.stores, ["leave", "grow up", "end"])
    func declined(engine: Engine, how: String) async throws {
        try await engine.withStore { store in
            let (home, number, payment) = try await approved(in: store)
            try await leave(how, home)
            let nora = try await store.person("nora", device: 21)
            if how != "grow up" {
                _ = try await store.families.begin(organiser: nora.email)
                _ = try await store.families.add(home.carl.email, as: .child, organiser: nora.email)
            }

            try await store.service.answer(payment, isConfirmed: false)
            try await store.settlePayments()

            #expect(try await home.phone.ask("apple", request: "r1").failure?.code == .paymentCancelled)
            for parent in [home.olga, home.paul, nora] { #expect(try await home.requests(for: parent).isEmpty) }
            await home.refused(.decided) { try await store.service.approve(number) }
            #expect(try await store.amounts() == [])
            #expect(try await store.count("reservation") == 0)
        }
    }

    @Test("A request waits again when the bank declines and its parent has left", arguments: Engine.stores)
    func otherParent(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, number, payment) = try await approved(in: store, by: \.paul)
            _ = try await store.families.remove(home.paul.email)

            try await store.service.answer(payment, isConfirmed: false)
            try await store.settlePayments()

            #expect(try await home.requests(for: home.olga).map(\.transaction) == [number])
            try await store.answerPayments { $0.kind = .authorise }
            try await home.approve(number, by: home.olga)
            #expect(try await store.payers() == [home.olga.identifier])
        }
    }

    @Test("The purchase is made when the bank confirms it, also after the child has left", arguments: Engine.stores)
    func confirmed(engine: Engine) async throws {
        try await engine.withStore { store in
            let (home, _, payment) = try await approved(in: store)
            try await leave("leave", home)

            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()

            let answer = try await home.phone.ask("apple", request: "r1")
            #expect(answer.status == .purchased && answer.failure == nil)
            #expect(try await store.payers() == [home.olga.identifier])
        }
    }

    @Test(
        "A bank's late answer doesn't charge an account that was barred meanwhile", arguments: Engine.stores,
        [true, false])
    func barred(engine: Engine, isParent: Bool) async throws {
        try await engine.withStore { store in
            let (home, _, payment) = try await approved(in: store)
            let barred = isParent ? home.olga : home.carl
            _ = try await store.service.change(account: barred.email, .init(switches: [.barred: true]))

            try await store.service.answer(payment, isConfirmed: true)
            try await store.settlePayments()

            #expect(try await home.phone.ask("apple", request: "r1").status == .failed)
            #expect(try await store.payment("voided") == payment)
            #expect(try await store.amounts() == [])
            try await store.checkMoney()
        }
    }
}
