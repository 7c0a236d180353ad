// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An event that the store sends to a device without a request. It is a hint;
/// the queue is authoritative (``QueueCall``).
package enum StoreEvent: Sendable, Hashable {
    /// The whole unfinished queue. The store sends it when the device's
    /// position is missing, too old or of another account.
    case snapshot(QueueSnapshot)
    /// A transaction was added to this device's queue.
    case transaction(TransactionInfo, EventPosition)
    /// A transaction was finished and has left every queue.
    case removed(transactionIdentifier: String, EventPosition)
    /// A purchase was refunded, and its transactions have left every queue.
    case revoked(RevokedInfo, EventPosition)
    /// The account has another storefront from now on.
    case storefront(StorefrontInfo, EventPosition)
    /// The app's key-value pairs were written.
    case keyValues(EventPosition)
    /// Another event of the account, which only advances the position.
    case position(EventPosition)
    /// The state of a request of this device has changed. Repeat the request
    /// to get it.
    case request(requestIdentifier: String)
    /// The device was signed in or out. The stream ends after this; open a new one.
    case accountChanged
}

/// An encoded event: the `event:` field and the `data:` field of a
/// server-sent event. Devices skip events with an unknown name.
package struct StoreEventFrame: Sendable, Hashable {
    /// The `event:` field, such as `snapshot` or `key-values`.
    package var name: String
    /// JSON, in one line.
    package var data: String

    package init(name: String, data: String) {
        self.name = name
        self.data = data
    }

    private struct Body: Codable {
        var snapshot: QueueSnapshot?
        var transaction: TransactionInfo?
        var transactionIdentifier: String?
        var position: EventPosition?
        var requestIdentifier: String?
        var revoked: RevokedInfo?
        var storefront: StorefrontInfo?
    }

    /// Encodes an event.
    ///
    /// - Throws: `EncodingError`.
    package init(_ event: StoreEvent) throws {
        var body = Body()
        switch event {
        case .snapshot(let snapshot):
            name = "snapshot"
            body.snapshot = snapshot
        case .transaction(let transaction, let position):
            name = "transaction"
            body.transaction = transaction
            body.position = position
        case .removed(let identifier, let position):
            name = "removed"
            body.transactionIdentifier = identifier
            body.position = position
        case .revoked(let revoked, let position):
            name = "revoked"
            body.revoked = revoked
            body.position = position
        case .storefront(let storefront, let position):
            name = "storefront"
            body.storefront = storefront
            body.position = position
        case .keyValues(let position):
            name = "key-values"
            body.position = position
        case .position(let position):
            name = "position"
            body.position = position
        case .request(let identifier):
            name = "request"
            body.requestIdentifier = identifier
        case .accountChanged:
            name = "account"
        }
        data = String(decoding: try StoreCoding.encode(body), as: UTF8.self)
    }

    /// The event, or `nil` for an unknown name.
    ///
    /// - Throws: `DecodingError` or ``LimitExceeded`` when the data can't be
    ///   decoded, and ``StoreFailure`` with the code `unreadableAnswer` when
    ///   a field of the event is missing.
    package func event() throws -> StoreEvent? {
        let body = try StoreCoding.decode(Body.self, from: Data(data.utf8))
        func required<Value>(_ value: Value?, _ field: String) throws -> Value {
            guard let value else {
                throw StoreFailure(.unreadableAnswer, "An event \"\(name)\" lacks \"\(field)\".")
            }
            return value
        }
        switch name {
        case "snapshot":
            return .snapshot(try required(body.snapshot, "snapshot"))
        case "transaction":
            return .transaction(
                try required(body.transaction, "transaction"), try required(body.position, "position"))
        case "removed":
            return .removed(
                transactionIdentifier: try required(body.transactionIdentifier, "transactionIdentifier"),
                try required(body.position, "position"))
        case "revoked":
            return .revoked(try required(body.revoked, "revoked"), try required(body.position, "position"))
        case "storefront":
            return .storefront(try required(body.storefront, "storefront"), try required(body.position, "position"))
        case "key-values":
            return .keyValues(try required(body.position, "position"))
        case "position":
            return .position(try required(body.position, "position"))
        case "request":
            return .request(requestIdentifier: try required(body.requestIdentifier, "requestIdentifier"))
        case "account":
            return .accountChanged
        default:
            return nil
        }
    }
}
