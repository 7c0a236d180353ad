// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Receives the end of a product page.
public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
    /// The page was shown. Optional.
    ///
    /// On Linux the page is one of the store, in the customer's browser: the
    /// method is called when the program that shows it has ended, which a
    /// browser does as soon as the page is open.
    @MainActor func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
}

extension SKStoreProductViewControllerDelegate {
    /// Does nothing.
    @MainActor public func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {}
}

extension SKStoreProductViewControllerDelegate {
    /// The method, for calls of the form
    /// `delegate.productViewControllerDidFinish?(viewController)`.
    public var productViewControllerDidFinish: SKOptionalMethods.ProductViewControllerDidFinish? {
        .init(delegate: self)
    }
}

extension SKOptionalMethods {
    /// ``SKStoreProductViewControllerDelegate/productViewControllerDidFinish(_:)``
    public struct ProductViewControllerDidFinish {
        let delegate: any SKStoreProductViewControllerDelegate

        /// Calls the method.
        @MainActor public func callAsFunction(_ viewController: SKStoreProductViewController) {
            delegate.productViewControllerDidFinish(viewController)
        }
    }
}
