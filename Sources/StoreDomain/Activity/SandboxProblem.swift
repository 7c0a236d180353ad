// SPDX-License-Identifier: Apache-2.0

/// A request that the sandbox has refused, for the live page (table
/// `sandbox_problem`).
package struct SandboxProblem: Hashable, Sendable {
    /// The refused request.
    package enum Subject: Hashable, Codable, Sendable {
        /// A request for products, with the first of the identifiers that came
        /// back as invalid, and their number.
        case products([Refused], count: Int)
        /// A call of the App Store Server API, with Apple's number and text.
        case serverAPI(request: String, code: Int, message: String)
        /// A receipt that `/verifyReceipt` has refused, with its status.
        case verifyReceipt(status: Int, reason: String)
    }

    /// A product identifier that came back as invalid.
    package struct Refused: Hashable, Codable, Sendable {
        package var product: String
        package var reason: Reason

        package init(_ product: ProductIdentifier, _ reason: Reason) {
            self.product = String(product.rawValue.prefix(SandboxProblem.longest))
            self.reason = reason
        }
    }

    /// Why a product isn't sold.
    package enum Reason: String, Hashable, Codable, CaseIterable, Sendable {
        /// The app has no product with the identifier.
        case notRegistered = "not-registered"
        /// The product lacks a price, or a language with both texts.
        case incomplete
        case notCleared = "not-cleared"
        /// It isn't sold in the customer's country.
        case otherCountry = "other-country"
    }

    package var at: WallTime
    package var app: BundleIdentifier
    package var subject: Subject

    /// The most refused identifiers of a request that are kept.
    static let products = 20
    /// The largest number of characters of each text.
    static let longest = 200
    /// The newest problems of an app that are kept.
    static let kept = 1000
    /// The most problems of an app that a process saves in a minute.
    package static let perMinute = 20
}

extension SandboxProblem.Reason {
    /// The reason for a product that the sandbox doesn't sell in a storefront,
    /// as far as the product shows it: ``incomplete`` needs its registration.
    /// `product` is `nil` for an identifier that the app doesn't have.
    init(_ product: Product?) {
        guard let product else {
            self = .notRegistered
            return
        }
        self = product.isForSale ? .otherCountry : .notCleared
    }
}

extension SandboxProblem.Subject {
    /// The refusal of a request for products.
    package init(refusing products: [SandboxProblem.Refused]) {
        self = .products(Array(products.prefix(SandboxProblem.products)), count: products.count)
    }

    /// The text with at most as many characters as a row keeps.
    static func shortened(_ text: String) -> String { String(text.prefix(SandboxProblem.longest)) }

    /// The same subject with texts that a row keeps.
    var shortened: Self {
        switch self {
        case .products: self
        case .serverAPI(let request, let code, let message):
            .serverAPI(request: Self.shortened(request), code: code, message: Self.shortened(message))
        case .verifyReceipt(let status, let reason): .verifyReceipt(status: status, reason: Self.shortened(reason))
        }
    }
}
