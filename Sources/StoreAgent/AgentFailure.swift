// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI

/// The failure of an app's request, in StoreKit's terms.
package struct AgentFailure: Error, Sendable, Hashable, Codable {
    /// The error that caused the failure, in Foundation's terms.
    package struct Underlying: Error, Sendable, Hashable, Codable {
        /// An `NSError` domain, `NSURLErrorDomain` for instance.
        package var domain: String
        /// The domain's code.
        package var code: Int
        /// A sentence for the developer.
        package var message: String

        /// Makes an underlying error.
        package init(domain: String, code: Int, message: String) {
            self.domain = domain
            self.code = code
            self.message = message
        }
    }

    /// The raw value of an `SKError.Code`.
    package var code: Int
    /// A sentence for the developer, with the remedy if one is known.
    package var message: String
    /// The error of the network or of the store that caused the failure, if
    /// any.
    package var underlying: Underlying?

    /// Makes a failure with the raw value of an `SKError.Code`.
    package init(code: Int, message: String, underlying: Underlying? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension AgentFailure: CustomStringConvertible {
    /// The sentence for the developer.
    package var description: String { message }
}

extension AgentFailure {
    init(_ failure: PaymentFailure) {
        let message = PrintableText.of(failure.message)
        self.init(
            code: failure.code, message: message,
            underlying: failure.underlying.map {
                Underlying(domain: PrintableText.of($0.domain), code: $0.code, message: message)
            })
    }

    /// The failure that an app sees when the store refuses a request.
    init(refused failure: StoreFailure) {
        let invalid: Set<StoreFailure.Code> = [.invalid, .malformed, .tooLarge]
        self.init(
            code: invalid.contains(failure.code) ? PaymentFailure.paymentInvalid : PaymentFailure.unknown,
            message: failure.message)
    }

    /// The failure that an app sees when the store can't be reached.
    init(unreachable failure: ConnectionFailure) {
        let network = failure.underlying as? Underlying ?? Underlying(failure.reach, "\(failure.underlying)")
        self.init(
            code: PaymentFailure.unknown, message: "The store can't be reached: \(network.message)",
            underlying: network)
    }

    /// The failure that an app sees for any error of a store connection.
    init(_ error: any Error) {
        switch error {
        case let failure as AgentFailure: self = failure
        case let failure as StoreFailure: self.init(refused: failure)
        case let failure as ConnectionFailure: self.init(unreachable: failure)
        default: self.init(code: PaymentFailure.unknown, message: "\(error)")
        }
    }
}

extension AgentFailure.Underlying {
    /// Codes of NSURLErrorDomain, by Foundation's names.
    static let cannotFindHost = -1003
    static let cannotConnectToHost = -1004
    static let networkConnectionLost = -1005
    static let notConnectedToInternet = -1009
    static let timedOut = -1001
    static let badURL = -1000

    /// An error of NSURLErrorDomain.
    init(network code: Int, _ message: String) {
        self.init(domain: "NSURLErrorDomain", code: code, message: message)
    }

    /// The error for a connection failure without a known network error.
    init(_ reach: ConnectionFailure.Reach, _ message: String) {
        self.init(network: reach == .notSent ? Self.cannotConnectToHost : Self.networkConnectionLost, message)
    }
}
