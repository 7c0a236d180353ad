// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore

extension SKError {
    /// An error with a sentence for the customer, and one for the developer.
    init(_ code: Code, message: String, underlying: (any Error)? = nil) {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: CustomerSentence.of(code, underlying: underlying).text,
            NSDebugDescriptionErrorKey: message,
        ]
        userInfo[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: userInfo)
    }

    init(_ failure: PurchaseFailure) {
        // The customer's decision is no failure of the app.
        if failure.code != .paymentCancelled { AgentHost.sayOnce(failure.message) }
        // An unknown code of a newer store keeps its number.
        self.init(
            Code(rawValue: failure.code.rawValue) ?? .unknown, message: failure.message,
            underlying: failure.underlying?.error)
    }

    /// Converts any error to the type that apps cast errors to.
    init(describing error: any Error) {
        switch error {
        case let error as SKError: self = error
        case let failure as PurchaseFailure: self.init(failure)
        default:
            let message = Self.message(of: error)
            // The start says its own errors once.
            if !(error is AgentError) { AgentHost.sayOnce(message) }
            self.init(.unknown, message: message, underlying: error as NSError)
        }
    }

    /// The sentence for the developer.
    static func message(of error: any Error) -> String {
        switch error {
        case let error as AgentError: error.message
        case let failure as StoreFailure: failure.message
        case let failure as PurchaseFailure: failure.message
        default:
            (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
        }
    }
}

extension PurchaseFailure.Underlying {
    /// An error of the network becomes a `URLError`, because an `NSError`
    /// can't be cast to one on Linux.
    fileprivate var error: any Error {
        var userInfo: [String: Any] = [:]
        userInfo[NSDebugDescriptionErrorKey] = message
        if domain == NSURLErrorDomain { userInfo[NSLocalizedDescriptionKey] = CustomerSentence.network.text }
        guard domain == NSURLErrorDomain, let code = URLError.Code(rawValue: code) else {
            return NSError(domain: domain, code: code, userInfo: userInfo)
        }
        return URLError(code, userInfo: userInfo)
    }
}
