// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreAPI
import StoreCore
package import StoreDomain
package import StoreService

/// A device without an agent, which sends the messages of the device
/// protocol.
package struct TestDevice: Sendable {
    package let credentials: DeviceCredentials
    package let store: TestStore

    package init(number: UInt8, store: TestStore) {
        let byte = Data([number]).hexadecimal
        credentials = DeviceCredentials(
            identifier: String(repeating: byte, count: 16), secret: String(repeating: byte, count: 32))
        self.store = store
    }

    package var connection: LocalStoreConnection { LocalStoreConnection(store.service) }

    package func call<Call: StoreCall>(_ call: Call) async throws -> Call.Answer {
        try await connection.call(call, as: credentials)
    }

    /// Asks for a payment, of StoreKit 2 unless `acceptsRunning` is false.
    package func ask(
        _ product: String, request: String, quantity: Int = 1, acceptsRunning: Bool = true
    ) async throws -> PaymentCall.Answer {
        try await call(
            PaymentCall(
                requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: product,
                quantity: quantity, acceptsRunning: acceptsRunning))
    }

    /// Asks for a payment and presses Buy on its sheet.
    @discardableResult
    package func buy(_ product: String, request: String, quantity: Int = 1, as account: Account) async throws
        -> TransactionInfo
    {
        let token = try token(try await ask(product, request: request, quantity: quantity).sheet)
        _ = try await store.service.buy(onSheet: token, as: account, shown: nil)
        guard let transaction = try await ask(product, request: request, quantity: quantity).transaction else {
            throw StoreFailure(.internalError, "The purchase has no transaction.")
        }
        return transaction
    }

    /// The token in a sheet's address.
    package func token(_ sheet: String?) throws -> String {
        guard let token = sheet?.split(separator: "/").last else {
            throw StoreFailure(.internalError, "There is no sheet.")
        }
        return String(token)
    }

    package func queue() async throws -> [TransactionInfo] {
        try await call(QueueCall(bundleIdentifier: TestStore.bundleIdentifier)).transactions
    }

    package func finish(_ transaction: String) async throws {
        _ = try await call(
            FinishCall(
                bundleIdentifier: TestStore.bundleIdentifier,
                transactionIdentifier: transaction))
    }

    package func restore(request: String, page: Int = 0) async throws -> RestoreCall.Answer {
        try await call(
            RestoreCall(requestIdentifier: request, bundleIdentifier: TestStore.bundleIdentifier, page: page))
    }

    package func receiptAnswer(_ properties: ReceiptProperties? = nil) async throws -> ReceiptCall.Answer {
        try await call(
            ReceiptCall(
                requestIdentifier: "receipt", bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0",
                mayAskToSignIn: false, properties: properties))
    }
}
