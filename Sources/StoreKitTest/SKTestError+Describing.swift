// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain

extension SKTestError {
    /// Converts any error of the session's store to the error for the test.
    init(describing error: any Error) {
        switch error {
        case let error as SKTestError:
            self = error
        case let error as DomainError:
            let code: Code =
                switch error.code {
                case .configuration: .fileNotFound
                case .notFound: .noTransactionFound
                default: .invalidAction
                }
            self.init(code, message: error.message)
        case let error as StoreFailure:
            self.init(.serviceUnavailable, message: error.message)
        default:
            self.init(.serviceUnavailable, message: "\(error)")
        }
    }
}
