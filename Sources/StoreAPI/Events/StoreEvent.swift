// SPDX-License-Identifier: Apache-2.0

/// An event that the store sends to a device without a request. It is a hint;
/// the queue is authoritative (``QueueCall``).
///
/// Each event is a type in a file of its own, with its name and its content.
/// ``StoreEventFrame`` lists them.
package struct StoreEvent: Sendable, Hashable {
    package let content: any StoreEventContent

    package init(_ content: any StoreEventContent) {
        self.content = content
    }

    /// Whether both are the same kind of event with the same content.
    package static func == (left: StoreEvent, right: StoreEvent) -> Bool {
        AnyHashable(left.content) == AnyHashable(right.content)
    }

    /// Hashes the content.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(content))
    }
}

/// The content of one kind of event.
package protocol StoreEventContent: Codable, Sendable, Hashable {
    /// The `event:` field of the server-sent event, such as `snapshot` or
    /// `key-values`.
    static var name: String { get }
}

/// An event of the account, with its place among the account's events.
package protocol NumberedEvent: StoreEventContent {
    var position: EventPosition { get }
}
