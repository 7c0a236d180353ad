// SPDX-License-Identifier: Apache-2.0

/// Where a message goes: the last part of `/device/v1/…`.
package struct StorePath: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let register = StorePath(rawValue: "register")
    package static let products = StorePath(rawValue: "products")
    package static let payments = StorePath(rawValue: "payments")
    package static let finish = StorePath(rawValue: "finish")
    package static let restore = StorePath(rawValue: "restore")
    package static let receipt = StorePath(rawValue: "receipt")
    package static let transactionReceipts = StorePath(rawValue: "transaction-receipts")
    package static let queue = StorePath(rawValue: "queue")
    package static let signOut = StorePath(rawValue: "sign-out")
    package static let keyValues = StorePath(rawValue: "key-values")

    /// Every message path, for a router.
    package static let all: [StorePath] = [
        .register, .products, .payments, .finish, .restore, .receipt, .transactionReceipts, .queue, .signOut,
        .keyValues,
    ]

    /// The folder of all device messages on the store's server.
    package static let folder = "/device/v1"
    /// The event stream, beside the messages.
    package static let events = "events"
}

/// A message that a device sends, with the answer that it gets.
package protocol StoreCall: Codable, Sendable {
    associatedtype Answer: Codable & Sendable
    static var path: StorePath { get }
}

/// A message of one app, which the store has to know.
///
/// Not `ProductsCall`, whose answer for an unknown app is that each of the
/// identifiers is invalid, as Apple's is.
package protocol AppCall: StoreCall {
    var bundleIdentifier: String { get }
}
