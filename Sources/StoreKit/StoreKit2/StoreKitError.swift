// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An error of StoreKit's asynchronous functions.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum StoreKitError: Error, Sendable {
    /// The reason isn't known.
    case unknown
    /// The customer closed a sheet.
    case userCancelled
    /// The store couldn't be reached.
    case networkError(URLError)
    /// An error of this device, such as a full disk.
    case systemError(any Error)
    /// The product isn't sold in the customer's storefront.
    case notAvailableInStorefront
    /// The app isn't set up for purchases in this store.
    @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *)
    case notEntitled
    /// The operation isn't supported.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    case unsupported
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension StoreKitError: LocalizedError {
    /// A sentence for a customer, in the language of the storefront.
    public var errorDescription: String? {
        switch self {
        case .userCancelled: CustomerSentence.cancelled.text
        case .networkError: CustomerSentence.network.text
        case .notAvailableInStorefront: CustomerSentence.country.text
        default: CustomerSentence.failed.text
        }
    }

    /// The reason.
    public var failureReason: String? {
        switch self {
        case .unknown: "The store gave no reason."
        case .userCancelled: "The customer closed the sheet."
        case .networkError(let error): SKError.message(of: error)
        case .systemError(let error): SKError.message(of: error)
        case .notAvailableInStorefront: "The seller doesn't sell the product in the customer's storefront."
        case .notEntitled: "The store doesn't sell for this app."
        case .unsupported: "The store doesn't support the request."
        }
    }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch self {
        case .networkError: "Check the connection and STOREKIT_STORE_URL, and try again."
        case .notEntitled: "Register the app with the store."
        default: nil
        }
    }
}
