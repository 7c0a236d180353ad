// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// What is in a receipt, and when ("Persisting Using the App Receipt").
struct ReceiptTests {
    @Test("A consumable is in the receipt until it is finished; a non-consumable stays", arguments: Engine.allCases)
    func contents(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let juice = try await phone.buy("juice", request: "2", quantity: 2, as: anna)

            let before = try await phone.receipt()
            #expect(Set(before.contents.inAppPurchases.map(\.productIdentifier)) == ["apple", "juice"])
            #expect(before.contents.environment == .sandbox)
            try await phone.finish(apple.transactionIdentifier)
            try await phone.finish(juice.transactionIdentifier)

            let after = try await phone.receipt()
            #expect(after.contents.inAppPurchases.map(\.transactionIdentifier) == [apple.transactionIdentifier])
        }
    }

    @Test("A receipt is for the device that asked, and as new as its event number", arguments: Engine.allCases)
    func device(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let tablet = try await store.addDevice(2)
            try await phone.buy("apple", request: "1", as: anna)

            let answer = try await phone.receiptAnswer()
            let data = try #require(Data(base64Encoded: answer.receipt ?? ""))
            let verifier = try TestStore.authority.get().verifier
            let tabletIdentifier = try #require(Data(hexadecimal: tablet.credentials.identifier))
            let verdict = try verifier.verify(
                data, expecting: .init(bundleIdentifier: TestStore.bundleIdentifier, deviceIdentifier: tabletIdentifier)
            )

            guard case .refused(let refusals) = verdict else {
                Issue.record("another device's receipt was accepted")
                return
            }
            #expect(refusals.map(\.code) == [.wrongDevice])
            #expect(answer.position == EventPosition(account: anna.identifier, number: 1))
        }
    }

    @Test("Nobody signed in, nothing asked: there is no receipt", arguments: Engine.allCases)
    func nobody(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()

            let answer = try await phone.receiptAnswer()

            #expect(answer.receipt == nil && answer.sheet == nil)
        }
    }
}

extension TestDevice {
    /// The device's receipt, verified as the device does it.
    func receipt() async throws -> VerifiedAppReceipt {
        let data = try #require(Data(base64Encoded: try await receiptAnswer().receipt ?? ""))
        let verdict = try TestStore.authority.get().verifier.verify(
            data,
            expecting: .init(
                bundleIdentifier: TestStore.bundleIdentifier,
                deviceIdentifier: Data(hexadecimal: credentials.identifier)))
        guard case .verified(let receipt) = verdict else {
            throw StoreFailure(.internalError, "\(verdict)")
        }
        return receipt
    }
}
