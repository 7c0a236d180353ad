// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI
import StoreCore

/// The connection of an app without a configured store. It sends nothing.
package struct UnconfiguredConnection: StoreConnection {
    /// Makes the connection.
    package init() {}

    /// Fails without sending.
    ///
    /// - Throws: `ConnectionFailure`, always.
    package func send(_ message: StoreMessage) async throws -> Data {
        throw Self.failure
    }

    /// Fails without opening a stream.
    ///
    /// - Throws: `ConnectionFailure`, always.
    package func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        throw Self.failure
    }

    /// Fails without sending.
    ///
    /// - Throws: `ConnectionFailure`, always.
    package func content(_ request: ContentRequest) async throws -> ContentPart {
        throw Self.failure
    }

    private static var failure: ConnectionFailure {
        ConnectionFailure(
            reach: .notSent,
            underlying: PurchaseFailure.Underlying(
                network: PurchaseFailure.Underlying.badURL,
                "STOREKIT_STORE_URL isn't set. Set it to the store's address, http://127.0.0.1:8080 for instance."))
    }
}

extension AgentConfiguration {
    /// Makes the connection to the configured store over HTTP.
    ///
    /// - Throws: ``AgentError`` with the code `configuration` when the TLS
    ///   roots can't be read.
    package func makeConnection() throws -> any StoreConnection {
        guard let storeURL else { return UnconfiguredConnection() }
        return try HTTPStoreConnection(storeURL, tlsRoots: tlsRoots)
    }
}
