// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreKit
import StoreService

/// Connects the session's device to its store in the same process, and applies
/// the session's settings to the messages.
struct SessionConnection: StoreConnection {
    let local: LocalStoreConnection
    let settings: @Sendable () -> SessionSettings

    func send(_ message: StoreMessage) async throws -> Data {
        let settings = settings()
        switch message.path {
        case .products:
            var call = try StoreCoding.decode(ProductsCall.self, from: message.body)
            call.languages = [settings.locale.identifier]
            return try await local.send(
                StoreMessage(
                    path: message.path, credentials: message.credentials, body: try StoreCoding.encode(call)))
        case .payments where settings.failsTransactions:
            let call = try StoreCoding.decode(PaymentCall.self, from: message.body)
            return try StoreCoding.encode(
                PaymentCall.Answer(
                    status: .failed,
                    failure: PurchaseFailure(
                        .init(rawValue: settings.failure.rawValue),
                        "The session fails every transaction, that of \(call.productIdentifier) too.")))
        default:
            return try await local.send(message)
        }
    }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try await local.events(subscription)
    }

    func content(_ request: ContentRequest) async throws -> ContentPart {
        try await local.content(request)
    }
}
