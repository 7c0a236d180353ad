// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAPI
internal import StoreAgent

extension SKError {
    init(_ code: Code, message: String, underlying: NSError? = nil) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
        userInfo[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: userInfo)
    }

    init(_ failure: AgentFailure) {
        let underlying = failure.underlying.map { underlying in
            NSError(
                domain: underlying.domain, code: underlying.code,
                userInfo: [NSLocalizedDescriptionKey: underlying.message])
        }
        // A code of a newer store is unknown here, and its sentence isn't.
        self.init(Code(rawValue: failure.code) ?? .unknown, message: failure.message, underlying: underlying)
    }

    /// What an app is told, whatever went wrong: always an SKError, because
    /// on Linux nothing else can be cast to one.
    init(describing error: any Error) {
        switch error {
        case let error as SKError: self = error
        case let failure as AgentFailure: self.init(failure)
        case let error as AgentError: self.init(.unknown, message: error.message, underlying: error as NSError)
        case let failure as StoreFailure: self.init(.unknown, message: failure.message, underlying: failure as NSError)
        default: self.init(.unknown, message: error.localizedDescription, underlying: error as NSError)
        }
    }
}
