// SPDX-License-Identifier: Apache-2.0

/// The path of a message: the last part of `/device/v1/…`.
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
    package static let signedTransactions = StorePath(rawValue: "signed-transactions")
    package static let queue = StorePath(rawValue: "queue")
    package static let signOut = StorePath(rawValue: "sign-out")
    package static let keyValues = StorePath(rawValue: "key-values")
    package static let content = StorePath(rawValue: "content")
    package static let redemption = StorePath(rawValue: "redemption")
    package static let priceConsent = StorePath(rawValue: "price-consent")
    package static let item = StorePath(rawValue: "item")
    package static let accountPage = StorePath(rawValue: "account-page")

    /// Every message path, for a router.
    package static let all: [StorePath] = [
        .register, .products, .payments, .finish, .restore, .receipt, .transactionReceipts,
        .signedTransactions, .queue, .signOut, .keyValues, .content, .redemption, .priceConsent, .item,
        .accountPage,
    ]

    /// The prefix of the paths of all device messages on the store's server.
    package static let folder = "/device/v1"
    /// The path of the event stream (``EventsCall``). It isn't among ``all``,
    /// because its answer has no end.
    package static let events = StorePath(rawValue: "events")
}

/// A message of a device, with the type of its answer.
package protocol StoreCall: Codable, Sendable {
    /// The store's answer to the message.
    associatedtype Answer: Codable & Sendable
    /// The path to which devices send the message.
    static var path: StorePath { get }
}

/// A message of one app, which must be registered with the store.
///
/// `ProductsCall` isn't one: its answer for an unknown app is that every
/// identifier is invalid, as in Apple's store.
package protocol AppCall: StoreCall {
    /// The bundle identifier of the app.
    var bundleIdentifier: String { get }
}
