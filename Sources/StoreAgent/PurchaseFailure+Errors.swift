// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

extension PurchaseFailure {
    /// The failure with a printable message, which also explains the
    /// underlying error.
    var printable: PurchaseFailure {
        var failure = self
        failure.message = PrintableText.of(message)
        failure.underlying?.domain = PrintableText.of(underlying?.domain ?? "")
        failure.underlying?.message = failure.message
        return failure
    }

    /// The failure that an app sees when the store refuses a request.
    init(refused failure: StoreFailure) {
        let invalid: Set<StoreFailure.Code> = [.invalid, .malformed, .tooLarge]
        self.init(invalid.contains(failure.code) ? .paymentInvalid : .unknown, failure.message)
    }

    /// The failure that an app sees when the store can't be reached.
    init(unreachable failure: ConnectionFailure) {
        let network = failure.underlying as? Underlying ?? Underlying(failure.reach, "\(failure.underlying)")
        self.init(
            .unknown, "The store can't be reached: \(network.message ?? "no network")",
            underlying: network)
    }

    /// The failure that an app sees for any error of a store connection.
    init(_ error: any Error) {
        switch error {
        case let failure as PurchaseFailure: self = failure
        case let failure as StoreFailure: self.init(refused: failure)
        case let failure as ConnectionFailure: self.init(unreachable: failure)
        default: self.init(.unknown, "\(error)")
        }
    }
}

extension PurchaseFailure.Underlying {
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
