// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore
import StoreKit
import StoreService

/// Connects the session's device to its store in the same process, and applies
/// the session's settings to the messages.
struct SessionConnection: StoreConnection {
    let local: LocalStoreConnection
    let settings: @Sendable () -> SessionSettings
    /// Takes the failure of the next request for content.
    let takeContentFailure: @Sendable () -> SKTestSession.ContentFailure?
    let clock: AgentClock

    func send(_ message: StoreMessage) async throws -> Data {
        let settings = settings()
        switch message.path {
        case .products:
            var call = try StoreCoding.decode(ProductsCall.self, from: message.body)
            call.languages = [settings.locale.identifier]
            return try await local.send(
                StoreMessage(
                    path: message.path, credentials: message.credentials, body: try StoreCoding.encode(call)))
        case .payments:
            var call = try StoreCoding.decode(PaymentCall.self, from: message.body)
            if settings.failsTransactions {
                return try StoreCoding.encode(
                    PaymentCall.Answer(
                        status: .failed,
                        failure: PurchaseFailure(
                            .init(rawValue: settings.failure.rawValue),
                            "The session fails every transaction, that of \(call.productIdentifier) too.")))
            }
            // A payment's own flag is for the sandbox. In a session `askToBuyEnabled` decides alone, as in Xcode.
            call.simulatesAskToBuy = false
            return try await local.send(
                StoreMessage(
                    path: message.path, credentials: message.credentials, body: try StoreCoding.encode(call)))
        default:
            return try await local.send(message)
        }
    }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try await local.events(subscription)
    }

    func content(_ request: ContentRequest) async throws -> ContentPart {
        let failure = takeContentFailure()
        if case .status(let status) = failure { throw Self.refusal(status) }
        var part = try await local.content(request)
        let download = SessionDownload(part, failure, clock: clock, settings: settings)
        part.bytes = AsyncThrowingStream { try await download.next() }
        return part
    }

    private static func refusal(_ status: Int) -> StoreFailure {
        let code: StoreFailure.Code =
            switch status {
            case 403: .contentNotOwned
            case 404: .contentNotFound
            default: .unavailable
            }
        return StoreFailure(code, "The session answers with status \(status).")
    }
}
