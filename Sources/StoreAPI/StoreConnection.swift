// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The connection between a device and the store, which carries encoded
/// messages, encoded answers and a stream of events.
///
/// One implementation uses HTTP between `StoreAgent` and `StoreServer`.
/// Another one connects the agent and `StoreService` in one process.
package protocol StoreConnection: Sendable {
    /// Sends one message and returns the encoded answer.
    ///
    /// - Throws: ``StoreFailure`` when the store refused the message, and
    ///   ``ConnectionFailure`` when there was no answer; its `reach`
    ///   describes whether the store may have received the message.
    func send(_ message: StoreMessage) async throws -> Data

    /// The events of an account for one app that come after a position.
    ///
    /// The stream ends, or throws ``ConnectionFailure``, when the connection
    /// is lost. Only hints are lost then and no purchases, because a new
    /// stream begins at the position that the device sends.
    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error>

    /// Bytes of a hosted content, without the device's credentials: the
    /// address is signed.
    ///
    /// - Throws: ``StoreFailure`` and ``ConnectionFailure``, as the stream of
    ///   the answer does.
    func content(_ request: ContentRequest) async throws -> ContentPart

    /// A file of a seller's own server, without the device's credentials.
    ///
    /// - Throws: ``ConnectionFailure`` without an answer, as the stream of
    ///   the bytes does; the reason of a redirect that isn't followed.
    func file(_ request: FileRequest) async throws -> FilePart
}

/// A connection whose event streams can be those of several apps.
package protocol SharingStoreConnection: StoreConnection {
    /// The events of some apps of a device, in one stream.
    ///
    /// - Throws: ``StoreFailure`` when the store refused the request, and
    ///   ``ConnectionFailure``; the stream throws it when the connection is
    ///   lost.
    func events(
        _ call: EventsCall, as credentials: DeviceCredentials
    ) async throws -> AsyncThrowingStream<AppEvent, any Error>
}

/// An event of one app of a stream.
package struct AppEvent: Sendable, Hashable {
    /// The place of the app in the request, from 0.
    package var place: Int
    package var event: StoreEvent
    /// The number of bytes of the encoded event.
    package var size: Int

    package init(place: Int, event: StoreEvent, size: Int) {
        self.place = place
        self.event = event
        self.size = size
    }
}

extension SharingStoreConnection {
    /// The events of one app, in a stream of its own.
    package func events(
        _ subscription: EventSubscription
    ) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        let events = try await events(EventsCall(apps: [subscription.app]), as: subscription.credentials)
        return AsyncThrowingStream {
            for try await received in events {
                switch received.event.content {
                case is OpenedEvent: continue
                case let refused as RefusedEvent: throw refused.failure
                default: return received.event
                }
            }
            return nil
        }
    }
}

/// One message of a device, encoded.
package struct StoreMessage: Sendable, Hashable {
    package var path: StorePath
    package var credentials: DeviceCredentials
    /// JSON that ``StoreCoding`` has encoded.
    package var body: Data

    package init(path: StorePath, credentials: DeviceCredentials, body: Data) {
        self.path = path
        self.credentials = credentials
        self.body = body
    }
}

/// The events that a device asks for.
package struct EventSubscription: Sendable, Hashable {
    package var credentials: DeviceCredentials
    package var bundleIdentifier: String
    /// The last event that the device has journalled; `nil` asks for the
    /// whole queue.
    package var position: EventPosition?
    /// The number of the last news that the device has received
    /// (``RequestEvent``, ``AccountChangedEvent``). `nil` begins with later
    /// news.
    package var newsNumber: Int64?
    /// Whether the device takes a long queue in pages, each a snapshot event.
    package var takesPages: Bool

    package init(
        credentials: DeviceCredentials, bundleIdentifier: String, position: EventPosition?, newsNumber: Int64? = nil,
        takesPages: Bool = false
    ) {
        self.credentials = credentials
        self.bundleIdentifier = bundleIdentifier
        self.position = position
        self.newsNumber = newsNumber
        self.takesPages = takesPages
    }
}

extension EventSubscription {
    /// The app, as a request names it.
    package var app: StreamedApp {
        StreamedApp(
            bundleIdentifier: bundleIdentifier, position: position, newsNumber: newsNumber,
            takesPages: takesPages ? true : nil)
    }
}

/// A position in an account's numbered events.
package struct EventPosition: Sendable, Hashable, Codable {
    /// The account's opaque identifier. A number is valid for its own account
    /// only.
    @Limited<Identifier> package var account: String
    /// The number of the event; 0 before the account's first event.
    @Limited<EventNumber> package var number: Int64

    package init(account: String, number: Int64) {
        self.account = account
        self.number = number
    }
}

extension StoreConnection {
    /// Encodes a call, sends it and decodes the answer.
    ///
    /// - Throws: the errors of ``send(_:)``, and ``StoreFailure`` with the
    ///   code `unreadableAnswer` when the answer can't be decoded.
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
