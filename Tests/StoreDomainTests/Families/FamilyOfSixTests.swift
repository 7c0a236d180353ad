// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A family of six over some months of its organiser's clock.
struct FamilyOfSixTests {
    private let month = "1mo"

    @Test("A family of six joins, shares, renews, loses a member and a purchase", arguments: Engine.stores)
    func sharing(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await FamilyOfSix(in: store)
            let others = home.all.filter { $0.email != home.paul.email }

            // Paul buys an apple, which the five others have without a payment.
            let apple = try await home.buy("apple", as: home.paul)
            try await home.expect(others, have: ["apple shared"])
            try await home.expect([home.paul], have: ["apple"])

            // A seventh member doesn't fit.
            let nora = try await store.person("nora", device: 21)
            await #expect(throws: DomainError(.invalid, "")) {
                _ = try await store.families.add(nora.email, as: .adult, organiser: home.olga.email)
            }

            // Olga subscribes to the club. Each renewal is one for every member.
            let club = try await home.buy("club", as: home.olga)
            for _ in 0..<3 { try await home.pass(month) }
            for member in home.all {
                #expect(
                    try await store.owned(by: member).filter { $0.hasPrefix("club") }.count == 4, "\(member.email)")
            }
            try await home.expect([home.dina, home.emil, home.ada], have: ["apple shared", "club shared"])
            #expect(try await store.amounts(of: home.dina.identifier) == [])

            // Ada has bought a pear herself. She leaves, and keeps nothing else.
            try await home.buy("pear", as: home.ada)
            _ = try await store.families.remove(home.ada.email)
            await store.service.sharePurchases()
            try await home.expect([home.ada], have: ["pear"])
            try await home.expect([home.carl], have: ["apple shared", "club shared"])
            // The renewals of the others don't reach her any more.
            try await home.pass(month)
            try await home.expect([home.ada], have: ["pear"])
            try await home.expect([home.carl], have: ["apple shared", "club shared"])

            // Nora takes her place, and has everything from then on.
            _ = try await store.families.add(nora.email, as: .adult, organiser: home.olga.email)
            await store.service.sharePurchases()
            try await home.expect([nora], have: ["apple shared", "club shared"])

            // Paul gets his money back: no other member has the apple any more.
            try await store.service.refund(apple)
            await store.service.sharePurchases()
            try await home.expect([home.paul, home.carl, nora], have: ["club shared"])

            // Olga lets the club end, and it ends for the whole family.
            try await store.service.setRenewal(false, of: OriginalTransactionIdentifier(club), account: home.olga)
            try await home.pass(month)
            try await home.expect([home.olga, home.paul, home.carl, home.dina, home.emil, nora], have: [])

            #expect(try await store.amounts(of: home.olga.identifier) == Array(repeating: 4990, count: 5))
            #expect(try await store.amounts(of: home.paul.identifier) == [990, -990])
            #expect(try await store.amounts(of: home.ada.identifier) == [1990])
            #expect(try await store.amounts().count == 8)
            try await store.checkMoney()
        }
    }

    @Test("The children of a family of six ask, and the parents answer", arguments: Engine.stores)
    func asking(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await FamilyOfSix(in: store)
            let bundle = BundleIdentifier(TestStore.bundleIdentifier)

            // Carl asks twice for the same pear. Three weeks later Olga approves one, which answers both.
            let first = try await home.ask("pear", as: home.carl, request: "pear 1")
            _ = try await home.ask("pear", as: home.carl, request: "pear 2")
            try await home.pass("21d")
            _ = try await store.service.approve(first, by: home.olga, shown: nil)
            #expect(try await home.requests(for: home.olga).isEmpty)
            for request in ["pear 1", "pear 2"] {
                #expect(try await home.answer(to: request, for: "pear", as: home.carl).status == .purchased)
            }
            #expect(try await store.amounts(of: home.olga.identifier) == [1990])

            // Dina asks for an apple, whose price rises before Paul answers: he sees the new one first.
            let apple = try await home.ask("apple", as: home.dina, request: "apple")
            let seen = Money(milliunits: 990, currency: "USD")
            #expect(try await home.requests(for: home.paul).compactMap(\.price) == [seen])
            try await store.service.setPrice(product: "apple", of: bundle, in: nil, to: "1.49")
            await #expect(throws: DomainError(.priceChanged, "")) {
                _ = try await store.service.approve(apple, by: home.paul, shown: AgreedTerms(price: seen))
            }
            let shown = Money(milliunits: 1490, currency: "USD")
            #expect(try await home.requests(for: home.paul).compactMap(\.price) == [shown])
            _ = try await store.service.approve(apple, by: home.paul, shown: AgreedTerms(price: shown))
            // Paul has paid Dina's apple, which is hers to share.
            await store.service.sharePurchases()
            try await home.expect([home.dina], have: ["apple"])
            try await home.expect([home.olga, home.paul, home.ada, home.emil], have: ["apple shared"])

            // Both parents approve Emil's juice at the same time: one of them pays.
            let juice = try await home.ask("juice", as: home.emil, request: "juice 1")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for parent in [home.olga, home.paul] {
                    group.addTask {
                        try await allowingRefusal { _ = try await store.service.approve(juice, by: parent, shown: nil) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await home.answer(to: "juice 1", for: "juice", as: home.emil).status == .purchased)
            #expect(try await store.amounts().filter { $0 == 490 }.count == 1)

            // No child and no other adult answers, and the juice is withdrawn while a request waits.
            let other = try await home.ask("juice", as: home.emil, request: "juice 2")
            for account in [home.ada, home.carl, home.emil] {
                await #expect(throws: DomainError(.notFound, "")) {
                    _ = try await store.service.approve(other, by: account, shown: nil)
                }
            }
            try await store.sellOnly("pear")
            _ = try await store.service.approve(other, by: home.olga, shown: nil)
            let withdrawn = try await home.answer(to: "juice 2", for: "juice", as: home.emil)
            #expect(withdrawn.failure?.code == .storeProductNotAvailable)
            try await store.sellShared()

            // Carl grows up while a request waits. It fails, and he pays himself from then on.
            _ = try await home.ask("juice", as: home.carl, request: "juice 3")
            _ = try await store.families.setRole(.adult, of: home.carl.email)
            let grownUp = try await home.answer(to: "juice 3", for: "juice", as: home.carl)
            #expect(grownUp.failure?.code == .paymentCancelled)
            try await home.buy("juice", as: home.carl)
            #expect(try await store.amounts(of: home.carl.identifier).sorted() == [0, 490])

            #expect(try await home.requests(for: home.olga).isEmpty)
            #expect(try await store.amounts(of: home.dina.identifier) == [])
            #expect(try await store.amounts(of: home.emil.identifier) == [])
            try await store.checkMoney()
        }
    }
}
