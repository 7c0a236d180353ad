// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore

extension StoreKitError {
    /// Converts an error of the agent. Errors of this API stay as they are.
    ///
    /// - Throws: `CancellationError`, for a task that was cancelled.
    static func describing(_ error: any Error) throws -> any Error {
        switch error {
        case let error as CancellationError: throw error
        case is StoreKitError, is Product.PurchaseError, is Transaction.RefundRequestError: return error
        case let failure as PurchaseFailure: return StoreKitError(failure)
        case let failure as StoreFailure where failure.code == .notFound: return StoreKitError.notEntitled
        default: return StoreKitError.systemError(error)
        }
    }

    init(_ failure: PurchaseFailure) {
        switch failure.code {
        case .paymentCancelled: self = .userCancelled
        case .storeProductNotAvailable: self = .notAvailableInStorefront
        default:
            let error = SKError(failure)
            switch error.userInfo[NSUnderlyingErrorKey] {
            case let network as URLError: self = .networkError(network)
            case let system as any Error: self = .systemError(system)
            default: self = .unknown
            }
        }
    }
}

extension Product.PurchaseError {
    /// `nil` for a failure that isn't the payment's.
    init?(_ failure: PurchaseFailure) {
        switch failure.code {
        case .paymentInvalid: self = .productUnavailable
        case .paymentNotAllowed: self = .purchaseNotAllowed
        case .invalidOfferIdentifier: self = .invalidOfferIdentifier
        case .invalidOfferPrice: self = .invalidOfferPrice
        case .missingOfferParams: self = .missingOfferParameters
        case .ineligibleForOffer: self = .ineligibleForOffer
        default: return nil
        }
    }
}
