// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An encoded event: the `event:`, the `data:` and the `id:` field of a
/// server-sent event. Devices skip events with an unknown name.
package struct StoreEventFrame: Sendable, Hashable {
    /// Every kind of event that a device understands.
    private static let kinds: [any StoreEventContent.Type] = [
        SnapshotEvent.self, TransactionEvent.self, RemovedEvent.self, RevokedEvent.self, StorefrontEvent.self,
        KeyValuesEvent.self, ClockEvent.self, PositionEvent.self, RequestEvent.self, AccountChangedEvent.self,
        PriceIncreasesEvent.self, ChildRequestEvent.self, OpenedEvent.self, RefusedEvent.self,
    ]

    /// The `event:` field.
    package var name: String
    /// JSON, in one line.
    package var data: String
    /// The `id:` field: the place of the event's app in the request, from 0;
    /// `nil` when the field is missing or no such number.
    package var place: Int?

    package init(name: String, data: String, place: Int? = nil) {
        self.name = name
        self.data = data
        self.place = place
    }

    /// Encodes an event of the app at a place of the request.
    ///
    /// - Throws: `EncodingError`.
    package init(_ event: StoreEvent, place: Int? = nil) throws {
        self.place = place
        name = type(of: event.content).name
        data = String(decoding: try StoreCoding.encode(event.content), as: UTF8.self)
    }

    /// The event, or `nil` for an unknown name.
    ///
    /// - Throws: `DecodingError` or ``LimitExceeded`` when the data can't be
    ///   decoded.
    package func event() throws -> StoreEvent? {
        guard let kind = Self.kinds.first(where: { $0.name == name }) else { return nil }
        return StoreEvent(try StoreCoding.decode(kind, from: Data(data.utf8)))
    }
}
