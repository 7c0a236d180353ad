// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore

extension SKError {
    init(_ code: Code, message: String, underlying: (any Error)? = nil) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: userInfo)
    }

    init(_ failure: PurchaseFailure) {
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
        case let error as AgentError: self.init(.unknown, message: error.message, underlying: error as NSError)
        case let failure as StoreFailure: self.init(.unknown, message: failure.message, underlying: failure as NSError)
        default: self.init(.unknown, message: error.localizedDescription, underlying: error as NSError)
        }
    }
}

extension PurchaseFailure.Underlying {
    /// An error of the network becomes a `URLError`, because an `NSError`
    /// can't be cast to one on Linux.
    fileprivate var error: any Error {
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedDescriptionKey] = message
        guard domain == NSURLErrorDomain, let code = URLError.Code(rawValue: code) else {
            return NSError(domain: domain, code: code, userInfo: userInfo)
        }
        return URLError(code, userInfo: userInfo)
    }
}
