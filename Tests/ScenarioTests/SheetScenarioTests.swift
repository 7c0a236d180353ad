// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The sheets of codes and of price increases, with real agents.
@Suite(.timeLimit(.hang))
struct SheetScenarioTests {
    private static let code = "WELCOME26"

    @Test("A redeemed code reaches the app on both devices of the account", arguments: Engine.servers)
    func redeemed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellWeekly(code: Self.code)
            let anna = try await store.addAccount()
            let (phone, tablet) = (try TestPhone(store), try TestPhone(store))
            try await tablet.signIn(anna)

            try await phone.launch(customer: { store, sheet in
                _ = try await store.service.redeem(Self.code, onSheet: sheet, as: anna, shown: nil)
            }) { app in
                try app.agent.presentCodeRedemption()
                let bought = try await app.next(.purchased)
                #expect(bought.payment.productIdentifier == "weekly")
                try app.agent.finish(bought.id)
                _ = try await app.removed()
            }
            try await tablet.launch { app in
                let bought = try await app.next(.purchased)
                #expect(bought.payment.productIdentifier == "weekly")
            }
            let ledger = try await store.ledger()
            #expect(ledger.allSatisfy { $0 == 0 })
        }
    }

    @Test("A subscription whose customer agrees at a launch renews at the new price", arguments: Engine.servers)
    func agreed(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellWeekly(code: Self.code)
            let anna = try await store.addAccount()
            let phone = try TestPhone(store)
            try await phone.launch(customer: { store, sheet in
                _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
            }) { app in
                try app.buy("weekly")
                try app.agent.finish(try await app.next(.purchased).id)
                _ = try await app.removed()
            }
            let subscription = try #require(try await store.service.managedSubscriptions(of: anna).first)
            let original = subscription.subscription.original
            try await SettingPrice(store.context)(
                "weekly", of: BundleIdentifier(TestStore.bundleIdentifier), in: nil, to: "3.99")
            try await AskingForPriceConsent(store.context)(TransactionIdentifier(original.rawValue))

            try await phone.launch(customer: { store, sheet in
                try await store.service.agree(onSheet: sheet, to: original, as: anna, shown: nil)
            }) { app in
                while let update = await app.next(), update != .priceIncrease {}
                try app.agent.showPriceConsent()
                try await until {
                    try await AnsweringPriceIncrease(store.context).pending(of: anna.identifier).allSatisfy(\.isAgreed)
                }
            }
            store.clock.advance(by: .seconds(8 * 86_400))
            await store.service.renewSubscriptions()
            #expect(try await store.amounts() == [2990, 3990])
        }
    }
}
