// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import StoreAPI
import StoreAgent
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreKit

/// The errors of StoreKit 2's functions, from real failures of the agent.
struct StoreKitErrorTests {
    @Test("A store that can't be reached is an error of the network")
    func unreachable() async throws {
        let folder = try TemporaryFolder()
        let host = AgentHost()
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url
        configuration.bundleIdentifier = "com.example.fruit"
        configuration.storeURL = URL(string: "http://127.0.0.1:1")
        #expect(host.use(configuration))
        let failure = await #expect(throws: (any Error).self) {
            try await host.perform { _ = try await $0.products(["apple"]) }
        }
        let error = try StoreKitError.describing(try #require(failure))
        guard case StoreKitError.networkError(let network) = error else {
            Issue.record("the error is \(error)")
            return
        }
        #expect(network.code == .cannotConnectToHost)
        await host.stop()
    }

    @Test("The device's restriction of payments is an error of the purchase")
    func restricted() async throws {
        let folder = try TemporaryFolder()
        let host = AgentHost()
        var configuration = StoreKitConfiguration()
        configuration.home = folder.url
        configuration.bundleIdentifier = "com.example.fruit"
        #expect(host.use(configuration))
        try DeviceRestrictions(home: folder.url).allow(inAppPurchases: false)
        let request = try PurchaseRequest("apple", [])
        await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
            try await host.perform { _ = try await request.perform($0, hub: TransactionHub(), as: $0.makeRequest()) }
        }
        await host.stop()
    }

    @Test("A failure of the store keeps its meaning")
    func describing() throws {
        let failures: [(any Error, String)] = [
            (StoreFailure(.notFound, "no such app"), "notEntitled"),
            (PurchaseFailure(.storeProductNotAvailable, "not there"), "notAvailableInStorefront"),
            (PurchaseFailure(.paymentCancelled, "closed"), "userCancelled"),
            (PurchaseFailure(.invalidSignature, "wrong"), "unknown"),
        ]
        for (failure, name) in failures { #expect("\(try StoreKitError.describing(failure))" == name) }
        guard case StoreKitError.systemError = try StoreKitError.describing(AgentError(.home, "full")) else {
            Issue.record("an error of the device isn't a system error")
            return
        }
        #expect(throws: CancellationError.self) { _ = try StoreKitError.describing(CancellationError()) }
        #expect(Product.PurchaseError(PurchaseFailure(.paymentNotAllowed, "")) == .purchaseNotAllowed)
        #expect(Product.PurchaseError(PurchaseFailure(.paymentCancelled, "")) == nil)
    }
}
