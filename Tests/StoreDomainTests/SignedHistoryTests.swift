// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// The signed transactions that devices fetch (StoreKit 2).
struct SignedHistoryTests {
    private static let pageSize = ReadingSignedHistory.pageSize

    @Test("A device gets all purchases of its account in pages, each signed for the device", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            var bought: [String] = []
            for number in 0..<Self.pageSize {
                bought.append(try await phone.buy("juice", request: "\(number)", as: anna).transactionIdentifier)
            }
            try await phone.finish(bought[0])
            bought.append(try await phone.buy("apple", request: "apple", as: anna).transactionIdentifier)

            let first = try await phone.signed()
            let last = try await phone.signed(of: anna, after: first.next)

            #expect(first.hasMore && first.renewals == nil && first.app == nil)
            #expect(!last.hasMore && last.renewals == [])
            #expect((first.transactions + last.transactions).map(\.transactionIdentifier) == bought)
            #expect(first.transactions.map { $0.isConsumed ?? false }.filter { $0 }.count == 1)
            let position = try #require(last.position)
            #expect(position.account == anna.identifier.rawValue && position.number >= Int64(bought.count))
            for info in first.transactions.prefix(2) + last.transactions {
                let payload = try phone.verified(info.signed, as: TransactionPayload.self)
                #expect(payload.transactionId == info.transactionIdentifier)
                #expect(payload.productId == info.productIdentifier)
                #expect(payload.deviceVerification == phone.binding(payload.deviceVerificationNonce))
            }
            let app = try phone.verified(try #require(last.app), as: AppTransactionPayload.self)
            #expect(app.bundleId == TestStore.bundleIdentifier && app.applicationVersion == "7")
            #expect(app.deviceVerification == phone.binding(app.deviceVerificationNonce))
        }
    }

    @Test("A later page has the purchases that were made and refunded since", arguments: Engine.stores)
    func changes(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice(1)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let known = try await phone.signed()
            #expect(try await phone.signed(of: anna, after: known.next).transactions.isEmpty)

            _ = try await RefundingPurchase(store.context)(TransactionIdentifier(apple.transactionIdentifier))
            let juice = try await phone.buy("juice", request: "2", as: anna)

            let news = try await phone.signed(of: anna, after: known.next)
            #expect(
                news.transactions.map(\.transactionIdentifier) == [
                    apple.transactionIdentifier, juice.transactionIdentifier,
                ])
            let refunded = try phone.verified(news.transactions[0].signed, as: TransactionPayload.self)
            #expect(refunded.revocationDate != nil)
            let number = try #require(news.position?.number)
            #expect(number > known.position?.number ?? 0)
        }
    }

    @Test("The place of another account is ignored, and an invented one is refused", arguments: Engine.stores)
    func accounts(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let ben = try await store.addAccount("ben@example.com")
            let phone = try await store.addDevice(1)
            let apple = try await phone.buy("apple", request: "1", as: anna)
            let annas = try await phone.signed()
            let pear = try await phone.buy("juice", request: "2", as: ben)

            let bens = try await phone.signed(of: anna, after: annas.next)

            #expect(annas.transactions.map(\.transactionIdentifier) == [apple.transactionIdentifier])
            #expect(bens.transactions.map(\.transactionIdentifier) == [pear.transactionIdentifier])
            #expect(bens.position?.account == ben.identifier.rawValue)
            for place in ["1", "a_b", "1_2_3", "-2_1"] {
                await #expect(throws: StoreFailure(.invalid, "")) { _ = try await phone.signed(of: ben, after: place) }
            }
        }
    }

    @Test("Without an account the answer is empty", arguments: Engine.stores)
    func signedOut(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice(1)
            #expect(try await phone.signed() == SignedTransactionsCall.Answer())
        }
    }

    @Test("The last page has the renewal of each subscription", arguments: Engine.stores)
    func renewals(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let subscriber = try await store.subscriber()
            let bought = try await subscriber.buy("small")
            let answer = try await subscriber.phone.signed()

            let renewal = try #require(answer.renewals?.first)
            #expect(answer.renewals?.count == 1)
            #expect(renewal.transactionIdentifier == bought.transactionIdentifier)
            let payload = try subscriber.phone.verified(renewal.signed, as: RenewalInfoPayload.self)
            #expect(payload.autoRenewStatus == 1 && payload.productId == "small")
            #expect(payload.deviceVerification == subscriber.phone.binding(payload.deviceVerificationNonce))
        }
    }
}

extension TestDevice {
    fileprivate func signed(of account: Account? = nil, after place: String? = nil) async throws
        -> SignedTransactionsCall.Answer
    {
        try await call(
            SignedTransactionsCall(
                bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "7",
                account: account?.identifier.rawValue, after: place))
    }

    /// The payload, if the store's authority has signed it.
    fileprivate func verified<Payload: SignedPayload>(_ signed: String, as type: Payload.Type) throws -> Payload {
        let verdict = try store.service.authority.jwsVerifier.verify(
            signed, as: type, expecting: .init(bundleIdentifier: TestStore.bundleIdentifier))
        guard case .verified(let jws) = verdict else { throw StoreFailure(.internalError, "The JWS isn't trusted.") }
        return jws.payload
    }

    /// The value that binds a nonce to this device, as an app computes it.
    fileprivate func binding(_ nonce: String?) -> String? {
        let text = credentials.identifier
        var device = ""
        for (index, digit) in text.enumerated() {
            if [8, 12, 16, 20].contains(index) { device += "-" }
            device.append(digit)
        }
        return nonce.map { Data(SHA384.hash(data: Data(($0 + device).utf8))).base64EncodedString() }
    }
}
