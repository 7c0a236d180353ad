// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI

/// Why something that an app asked for didn't happen, in StoreKit's terms.
package struct AgentFailure: Error, Sendable, Hashable, Codable {
    /// An error under the failure, in Foundation's terms.
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
    /// A sentence for the developer, with the remedy where one is known.
    package var message: String
    /// What the network said, when it is to blame.
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

    /// What a refusal of the store means to an app.
    init(refused failure: StoreFailure) {
        let invalid: Set<StoreFailure.Code> = [.invalid, .malformed, .tooLarge]
        self.init(
            code: invalid.contains(failure.code) ? PaymentFailure.paymentInvalid : PaymentFailure.unknown,
            message: failure.message)
    }

    /// What a lost connection means to an app.
    init(unreachable failure: ConnectionFailure) {
        let network = failure.underlying as? Underlying ?? Underlying(failure.reach, "\(failure.underlying)")
        self.init(
            code: PaymentFailure.unknown, message: "The store can't be reached: \(network.message)",
            underlying: network)
    }

    /// What any error that came out of a store's connection means to an app.
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
    /// NSURLErrorDomain's codes, by Foundation's names for them.
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

    /// The best that can be said when only the reach is known.
    init(_ reach: ConnectionFailure.Reach, _ message: String) {
        self.init(network: reach == .notSent ? Self.cannotConnectToHost : Self.networkConnectionLost, message)
    }
}
