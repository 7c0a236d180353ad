// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The seam between a device and the store: an encoded message in, an encoded
/// answer out, and a stream of events.
///
/// HTTP implements it between `StoreAgent` and `StoreServer`; a connection
/// inside one process joins the agent and `StoreService` directly.
package protocol StoreConnection: Sendable {
    /// Sends one message and returns the encoded answer.
    ///
    /// - Throws: ``StoreFailure`` when the store refused the message, and
    ///   ``ConnectionFailure`` when there was no answer; its `reach` says
    ///   whether the store may have received the message.
    func send(_ message: StoreMessage) async throws -> Data

    /// The events of an account for one app, beginning after a number.
    ///
    /// The stream ends, or throws ``ConnectionFailure``, when the connection
    /// is lost: a hint is lost then, never a purchase, because a new stream
    /// begins where the device says that it is.
    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error>
}

/// One message of a device, encoded.
package struct StoreMessage: Sendable, Hashable {
    package var path: StorePath
    package var credentials: DeviceCredentials
    /// JSON, as ``StoreCoding`` writes it.
    package var body: Data

    package init(path: StorePath, credentials: DeviceCredentials, body: Data) {
        self.path = path
        self.credentials = credentials
        self.body = body
    }
}

/// What a device wants to hear of.
package struct EventSubscription: Sendable, Hashable {
    package var credentials: DeviceCredentials
    package var bundleIdentifier: String
    /// The number of the last event that the device has journalled, and the
    /// account that it was counted for; `nil` asks for the whole queue.
    package var position: EventPosition?

    package init(credentials: DeviceCredentials, bundleIdentifier: String, position: EventPosition?) {
        self.credentials = credentials
        self.bundleIdentifier = bundleIdentifier
        self.position = position
    }
}

/// A place in an account's numbered events.
package struct EventPosition: Sendable, Hashable, Codable {
    /// Opaque; a number means nothing under another account.
    @Limited<Identifier> package var account: String
    @Limited<EventNumber> package var number: Int64

    package init(account: String, number: Int64) {
        self.account = account
        self.number = number
    }
}

extension StoreConnection {
    /// Encodes a call, sends it and decodes the answer.
    ///
    /// - Throws: what ``send(_:)`` throws, and ``StoreFailure`` with the code
    ///   `unreadableAnswer` when the answer isn't one.
    package func call<Call: StoreCall>(_ call: Call, as credentials: DeviceCredentials) async throws -> Call.Answer {
        let message = StoreMessage(path: Call.path, credentials: credentials, body: try StoreCoding.encode(call))
        let answer = try await send(message)
        do {
            return try StoreCoding.decode(Call.Answer.self, from: answer)
        } catch {
            throw StoreFailure(.unreadableAnswer, "The store's answer to \(Call.path.rawValue) can't be read: \(error)")
        }
    }
}
