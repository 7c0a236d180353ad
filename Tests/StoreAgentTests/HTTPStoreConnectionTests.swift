// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct HTTPStoreConnectionTests {
    private let message = StoreMessage(
        path: .register, credentials: DeviceCredentials(identifier: "00", secret: "00"), body: Data("{}".utf8))

    @Test("A refused connection means that the message wasn't sent")
    func refusedConnectionMeansThatNothingWasSent() async throws {
        // No server listens on port 1 (tcpmux).
        let address = try #require(URL(string: "http://127.0.0.1:1"))
        let connection = try HTTPStoreConnection(address)

        let failure = await #expect(throws: ConnectionFailure.self) { try await connection.send(message) }

        #expect(failure?.reach == .notSent)
        let network = try #require(failure?.underlying as? PurchaseFailure.Underlying)
        #expect(network.code == -1004)
        #expect(network.message == "The connection to http://127.0.0.1:1 failed: Connection refused.")
    }

    @Test("A connection without a store's address fails with an error that names STOREKIT_STORE_URL")
    func unconfiguredStoreIsNamedWithItsRemedy() async throws {
        let failure = await #expect(throws: ConnectionFailure.self) {
            try await UnconfiguredConnection().send(message)
        }
        #expect(failure?.reach == .notSent)
        #expect(failure.map { PurchaseFailure(unreachable: $0).message.contains("STOREKIT_STORE_URL") } == true)
    }
}
