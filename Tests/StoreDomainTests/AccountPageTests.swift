// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The pages of an account whose addresses a device asks for, and the events of
/// a request for a refund and of a deleted purchase.
struct AccountPageTests {
    @Test("The pages of the account have an address, and an unknown one has none", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            #expect(try await phone.page(.subscriptions).page?.hasSuffix("/account/subscriptions") == true)
            #expect(try await phone.page(.payment).page?.hasSuffix("/account/payment") == true)
            #expect(try await phone.page(.init(rawValue: "other")) == AccountPageCall.Answer())
            let refusal = await #expect(throws: StoreFailure.self) { try await phone.page(.refund) }
            #expect(refusal?.code == .invalid)
        }
    }

    @Test("The form for a refund has the newest request of the account's own purchase", arguments: Engine.stores)
    func refund(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let apple = try await phone.buy("apple", request: "1", as: anna).transactionIdentifier
            let free = try await phone.buy("apple", request: "2", as: anna).transactionIdentifier
            let before = try await phone.page(.refund, of: apple)
            #expect(before.page?.hasSuffix("/account/purchases/\(apple)/problem") == true)
            #expect(before.refund == RefundInfo(isEligible: true))
            #expect(try await phone.page(.refund, of: free).refund?.isEligible == false)
            #expect(try await phone.page(.refund, of: "7") == AccountPageCall.Answer())
            let stranger = try await store.addDevice(2)
            #expect(try await stranger.page(.refund, of: apple) == AccountPageCall.Answer())

            let number = try await store.service.account(anna.email).eventNumber
            let asked = try await AskingForRefund(store.context)(
                TransactionIdentifier(apple), of: anna.identifier, because: .other, comment: nil)
            #expect(try await store.service.account(anna.email).eventNumber == number + 1)
            let waiting = try await phone.page(.refund, of: apple).refund
            #expect(waiting == RefundInfo(request: asked.identifier.rawValue, waits: true))
            _ = try await DecidingRefund(store.context).approve(asked.identifier)
            let over = try await phone.page(.refund, of: apple).refund
            #expect(over?.waits == false && over?.isEligible == false)
        }
    }

    @Test("A deleted purchase is an event that names it", arguments: Engine.stores)
    func forgotten(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let apple = try await phone.buy("apple", request: "1", as: anna).transactionIdentifier
            let number = try await store.service.account(anna.email).eventNumber
            let position = EventPosition(account: anna.identifier.rawValue, number: number)
            _ = try await ForgettingPurchase(store.context)(TransactionIdentifier(apple))
            var events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: position)
            ).makeAsyncIterator()
            let event = try await events.next()
            let next = EventPosition(account: anna.identifier.rawValue, number: number + 1)
            #expect(
                event == .removed(transactionIdentifier: apple, receiptChanged: true, isForgotten: true, next))
        }
    }
}

extension TestDevice {
    fileprivate func page(
        _ page: AccountPageCall.Page, of transaction: String? = nil
    ) async throws -> AccountPageCall.Answer {
        try await call(
            AccountPageCall(
                bundleIdentifier: TestStore.bundleIdentifier, page: page, transactionIdentifier: transaction))
    }
}
