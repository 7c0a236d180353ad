// SPDX-License-Identifier: Apache-2.0

/// A list of at most ``count`` elements, each within the limit of
/// ``Element``.
package protocol ListLimit: FieldLimit where Value == [Element.Value] {
    /// The limit of each element.
    associatedtype Element: FieldLimit
    /// The largest number of elements.
    static var count: Int { get }
}

extension ListLimit {
    /// The reason for a list that is too long, or for its first refused
    /// element, which it names by its place from 0; `nil` when the list is
    /// allowed.
    package static func refusal(of value: Value) -> String? {
        guard value.count <= count else { return "has at most \(count) elements, not \(value.count)" }
        for (place, element) in value.enumerated() {
            if let refusal = Element.refusal(of: element) { return "(element \(place)) \(refusal)" }
        }
        return nil
    }
}

/// The limit of elements that are messages: their fields have limits of their
/// own.
package enum SelfChecked<Value: Codable & Hashable & Sendable>: FieldLimit {
    package static func refusal(of value: Value) -> String? { nil }
}

/// The identifiers of a products request.
package enum ProductIdentifiers: ListLimit {
    package typealias Element = AppText
    package static let count = 2000
}

/// The transactions of one message.
package enum TransactionIdentifiers: ListLimit {
    package typealias Element = AppText
    package static let count = 100
}

/// The price increases of one event.
package enum PriceIncreases: ListLimit {
    package typealias Element = AppText
    package static let count = 100
}

/// A customer's languages, most preferred first.
package enum Languages: ListLimit {
    package typealias Element = Language
    package static let count = 20
}

/// The apps of one event stream.
package enum StreamedApps: ListLimit {
    package typealias Element = SelfChecked<StreamedApp>
    package static let count = 64
}

/// The writes of one message to the key-value store: each of an app's keys
/// once, and as many removals.
package enum KeyValueWrites: ListLimit {
    package typealias Element = SelfChecked<KeyValueWrite>
    package static let count = 2 * KeyValueLimits.keys
}
