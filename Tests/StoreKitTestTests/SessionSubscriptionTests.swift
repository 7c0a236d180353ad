// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The subscriptions of a session.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct SessionSubscriptionTests {
    private let configuration: Configuration
    private let session: SKTestSession
    private let app: App

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
        app = App()
    }

    private func first() throws -> SKTestTransaction { try #require(session.allTransactions().first) }
    private func last() throws -> SKTestTransaction { try #require(session.allTransactions().last) }
    private func advance(days: Int) throws { try session.advance(by: .seconds(days * 86_400)) }

    @Test("Advancing the time makes the renewals in between, and the app receives each")
    func renewed() async throws {
        await app.buy("small")
        let bought = try first()
        #expect(bought.autoRenewingEnabled && !bought.isPendingPriceIncreaseConsent)

        try advance(days: 100)

        let all = session.allTransactions()
        #expect(all.count == 4)
        #expect(Set(all.map(\.identifier)).count == 4)
        #expect(Set(all.map(\.originalTransactionIdentifier)) == [bought.identifier])
        #expect(all.dropFirst().map(\.purchaseDate) == all.dropLast().map(\.expirationDate))
        #expect(all.map(\.autoRenewingEnabled) == [false, false, false, true])
        #expect(app.heard.filter { $0 == "purchased small" }.count == 4)
        #expect(app.heard.filter { $0 == "removed small" }.count == 4)
        app.quit()
    }

    @Test(
        "A time rate shortens the period",
        arguments: [
            (SKTestSession.TimeRate.oneHourIsOneDay, 3600.0), (.thirtyMinutesIsOneDay, 3600),
            (.fiveMinutesIsOneDay, 3600), (.oneMinuteIsOneDay, 1800), (.thirtySecondsIsOneDay, 900),
            (.oneSecondIsOneDay, 30), (.monthlyRenewalEveryHour, 3600), (.monthlyRenewalEveryThirtyMinutes, 1800),
            (.monthlyRenewalEveryFifteenMinutes, 900), (.monthlyRenewalEveryFiveMinutes, 300),
            (.monthlyRenewalEveryThirtySeconds, 30), (.oneRenewalEveryFifteenMinutes, 900),
            (.oneRenewalEveryFiveMinutes, 300), (.oneRenewalEveryMinute, 60), (.oneRenewalEveryThirtySeconds, 30),
            (.oneRenewalEveryTenSeconds, 10), (.oneRenewalEveryTwoSeconds, 2),
        ])
    func rate(_ rate: SKTestSession.TimeRate, seconds: Double) async throws {
        session.timeRate = rate
        #expect(session.timeRate == rate)
        await app.buy("small")

        let bought = try first()
        let length = try #require(bought.expirationDate).timeIntervalSince(bought.purchaseDate)
        #expect(abs(length - seconds) < 0.001)
        app.quit()
    }

    @Test("At a shortened rate subscriptions renew while time passes, and stop when it stands still")
    func realTime() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        await app.buy("small")
        try await until { session.allTransactions().count >= 2 }

        session.timeRate = .realTime
        let all = session.allTransactions()
        #expect(all[1].purchaseDate == all[0].expirationDate)
        let date = session.currentDate
        await mainQueueUpdates()
        #expect(app.heard.filter { $0 == "purchased small" }.count == session.allTransactions().count)
        app.quit()

        // Meanwhile the time of another session goes on.
        let other = try configuration.session()
        let begin = other.currentDate
        other.timeRate = .oneRenewalEveryTwoSeconds
        try await until { other.currentDate > begin.addingTimeInterval(0.3) }
        #expect(session.currentDate == date)
    }

    @Test("StoreKit 1 fails to buy the running subscription again with 3532, and StoreKit 2 gets its transaction")
    func running() async throws {
        await app.buy("small")
        await app.buy("small")
        #expect(app.heard.suffix(3) == ["purchasing small", "failed small", "removed small"])
        #expect(app.errors == [.unknown] && app.causes == ["ASDServerErrorDomain 3532"])
        let bought = try first()
        #expect(session.allTransactions().count == 1)

        let small = try #require(try await Product.products(for: ["small"]).first)
        guard case .success(let result) = try await small.purchase() else {
            Issue.record("StoreKit 2 has another end")
            return
        }
        #expect(try result.payloadValue.id == UInt64(bought.identifier))

        // Buying it turns the renewal on again, which is a change.
        try session.disableAutoRenewForTransaction(identifier: bought.identifier)
        await app.buy("small")
        #expect(app.heard.contains("purchased small") && app.errors.count == 1)
        #expect(try first().autoRenewingEnabled && session.allTransactions().count == 1)
        app.quit()
    }

    @Test("An expired subscription ends now, and isn't renewed")
    func expired() async throws {
        await app.buy("small")
        try advance(days: 10)
        try session.expireSubscription(productIdentifier: "small")

        #expect(try first().expirationDate == session.currentDate)
        #expect(try !first().autoRenewingEnabled)
        try advance(days: 100)
        #expect(session.allTransactions().count == 1)
        #expect(code { try session.expireSubscription(productIdentifier: "small") } == .noSubscriptionFound)

        await app.buy("small")
        #expect(session.allTransactions().count == 2)
        #expect(try last().originalTransactionIdentifier == first().identifier)
        app.quit()
    }

    @Test("A forced renewal begins the next period now, and turns the renewal on")
    func forced() async throws {
        await app.buy("small")
        try advance(days: 10)
        try session.disableAutoRenewForTransaction(identifier: first().identifier)
        try session.forceRenewalOfSubscription(productIdentifier: "small")

        #expect(session.allTransactions().count == 2)
        #expect(try first().expirationDate == session.currentDate)
        #expect(try last().purchaseDate == session.currentDate)
        #expect(try last().autoRenewingEnabled)
        #expect(app.heard.filter { $0 == "purchased small" }.count == 2)
        try advance(days: 32)
        #expect(session.allTransactions().count == 3)
        app.quit()
    }

    @Test("The renewal is turned off and on by any transaction of the subscription")
    func renewal() async throws {
        await app.buy("small")
        try advance(days: 32)
        let bought = try first().identifier
        try session.disableAutoRenewForTransaction(identifier: bought)
        #expect(try !last().autoRenewingEnabled)
        try session.enableAutoRenewForTransaction(identifier: bought)
        #expect(try last().autoRenewingEnabled)
        try session.disableAutoRenewForTransaction(identifier: last().identifier)
        try advance(days: 100)

        #expect(session.allTransactions().count == 2)
        #expect(code { try session.enableAutoRenewForTransaction(identifier: bought) } == .invalidAction)
        app.quit()
    }

    @Test(
        "A renewal that isn't paid is an issue, and begins the next period when it is resolved",
        arguments: [true, false])
    func billingRetry(hasGrace: Bool) async throws {
        session.billingGracePeriodIsEnabled = hasGrace
        session.shouldEnterBillingRetryOnRenewal = true
        await app.buy("small")
        try advance(days: 33)

        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
        try session.resolveIssueForTransaction(identifier: first().identifier)
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false, false])
        #expect(try last().purchaseDate == (hasGrace ? first().expirationDate : session.currentDate))
        #expect(app.heard.filter { $0 == "purchased small" }.count == 2)
        app.quit()
    }

    @Test("A forced renewal enters billing retry if the session demands it, and the next one leaves it")
    func forcedRetry() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        await app.buy("small")
        try advance(days: 1)
        try session.forceRenewalOfSubscription(productIdentifier: "small")
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
        try session.forceRenewalOfSubscription(productIdentifier: "small")

        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false, false])
        app.quit()
    }

    @Test("A change to a lower plan gives the app the current transaction, and the other product at the renewal")
    func downgrade() async throws {
        await app.buy("large")
        await app.buy("small")
        #expect(
            app.heard == [
                "purchasing large", "purchased large", "removed large", "purchasing small", "purchased small",
                "removed small",
            ])
        #expect(session.allTransactions().map(\.productIdentifier) == ["large"])
        try advance(days: 32)

        #expect(session.allTransactions().map(\.productIdentifier) == ["large", "small"])
        app.quit()
    }

    @Test("A deleted period ends its subscription, which can be bought again")
    func deleted() async throws {
        await app.buy("small")
        try advance(days: 32)
        try session.deleteTransaction(identifier: first().identifier)
        #expect(session.allTransactions().count == 1)
        try advance(days: 100)
        #expect(session.allTransactions().count == 1)
        await app.buy("small")
        try advance(days: 32)

        #expect(session.allTransactions().count == 3)
        app.quit()
    }

    @Test("Errors name the product or the transaction that isn't one of a subscription")
    func errors() async throws {
        await app.buy("apple")
        let apple = try first().identifier
        for act in [session.expireSubscription, session.forceRenewalOfSubscription] as [(String) throws -> Void] {
            #expect(code { try act("apple") } == .invalidProductType)
            #expect(code { try act("pear") } == .invalidProductIdentifier)
            #expect(code { try act("small") } == .noSubscriptionFound)
        }
        for act in [session.disableAutoRenewForTransaction, session.enableAutoRenewForTransaction]
            as [(UInt) throws -> Void]
        {
            #expect(code { try act(42) } == .noTransactionFound)
            #expect(code { try act(apple) } == .invalidProductType)
        }
        app.quit()
    }

    @Test("The settings of the file are those of the session, also after it was reset")
    func settings() throws {
        let file = try Configuration(
            settings: """
                "_timeRate" : 1001, "_billingGracePeriodEnabled" : true, "_renewalBillingIssuesEnabled" : true
                """)
        let session = try file.session()
        for isReset in [false, true] {
            if isReset {
                session.timeRate = .realTime
                session.billingGracePeriodIsEnabled = false
                session.resetToDefaultState()
            }
            #expect(session.timeRate == .oneRenewalEveryFiveMinutes)
            #expect(session.billingGracePeriodIsEnabled && session.shouldEnterBillingRetryOnRenewal)
        }
        app.quit()
    }

    private func code(_ body: () throws -> Void) -> SKTestError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SKTestError)?.code
        }
    }

    @Test("Advancing the time lists the events in between")
    func events() async throws {
        await app.buy("small")
        let bought = try first()

        let renewed = try session.advanceToNextEvent()
        let end = try #require(bought.expirationDate)
        let events = try session.advance(to: end.addingTimeInterval(1))

        #expect(session.currentDate == end.addingTimeInterval(1))
        #expect((renewed + events).map(\.kind).contains(.renewed))
        let event = try #require((renewed + events).last { $0.kind == .renewed })
        #expect(event.date == end)
        #expect(event.productIdentifier == "small")
        #expect(event.originalTransactionIdentifier == bought.identifier)
        #expect(event.transactionIdentifier == (try last()).identifier)
        app.quit()
    }

    @Test("The time of a session goes neither back nor past the end of its certificates")
    func bounds() async throws {
        await app.buy("small")
        let now = session.currentDate

        for refused in [Duration.seconds(-1), .seconds(100 * 366 * 86_400), .seconds(Int64.max), .seconds(Int64.min)] {
            let error = #expect(throws: SKTestError.self) { try session.advance(by: refused) }
            #expect(error?.code == .invalidAction)
        }
        for refused in [Date.distantPast, .distantFuture, now.addingTimeInterval(-1)] {
            let error = #expect(throws: SKTestError.self) { try session.advance(to: refused) }
            #expect(error?.code == .invalidAction)
        }
        #expect(session.currentDate == now)
        #expect(session.allTransactions().count == 1)
        app.quit()
    }

    @Test("Without a subscription no event follows")
    func noNextEvent() async throws {
        let error = #expect(throws: SKTestError.self) { try session.advanceToNextEvent() }
        #expect(error?.code == .noSubscriptionFound)
        app.quit()
    }
}
