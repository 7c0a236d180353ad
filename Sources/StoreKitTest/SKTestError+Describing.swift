// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAPI
internal import StoreDomain

extension SKTestError {
    /// What a test is told, whatever went wrong in the session's store.
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
