// SPDX-License-Identifier: Apache-2.0

/// A customer of the store.
package struct Account: Hashable, Sendable {
    package var identifier: String
    /// Lower case, without spaces around it.
    package var email: String
    package var storefront: Storefront
    /// The number of the account's newest event.
    package var eventNumber: Int64
    /// Whether the store sells to it no more.
    package var isBarred = false
    /// Whether somebody else has to approve what it buys (Ask to Buy).
    package var asksToBuy = false
    /// Whether its purchases are interrupted, for tests of that.
    package var interruptsPurchases = false

    package init(identifier: String, email: String, storefront: Storefront, eventNumber: Int64) {
        self.identifier = identifier
        self.email = email
        self.storefront = storefront
        self.eventNumber = eventNumber
    }

    /// RFC 5321, section 4.5.3.1: 64 for the name, 255 for the domain, and the `@`.
    static let longestEmail = 320

    /// An address as accounts are found by it.
    package static func normalized(_ email: String) -> String {
        email.trimmingWhitespace().lowercased()
    }
}

extension String {
    func trimmingWhitespace() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// A device's identifier: 16 bytes in lower-case hexadecimal, checked by
/// ``RegisteringDevice``.
package struct DeviceIdentifier: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
