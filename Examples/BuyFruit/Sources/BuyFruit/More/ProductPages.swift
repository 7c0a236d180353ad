// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// Opens the store's pages of other items.
@MainActor
final class ProductPages: NSObject, SKStoreProductViewControllerDelegate {
    /// Shows an alert to the customer.
    var presentAlert: (Alert) -> Void = { _ in }
    /// The page that is shown, until its program has ended.
    private var shown: SKStoreProductViewController?

    nonisolated override init() {
        super.init()
    }

    /// Loads an item's page and shows it, or says why that isn't possible.
    func show(_ item: ShopItem) {
        let page = SKStoreProductViewController()
        page.delegate = self
        shown = page
        page.loadProduct(withParameters: item.parameters) { [weak self, weak page] isLoaded, error in
            // Another item was chosen meanwhile.
            guard let self, let page, shown === page else { return }
            guard isLoaded else { return fail(item, error) }
            page.present { error in
                if let error { self.fail(item, error) }
            }
        }
    }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        if shown === viewController { shown = nil }
    }

    private func fail(_ item: ShopItem, _ error: (any Error)?) {
        shown = nil
        presentAlert(Alert(title: "\(item.title) can’t be shown.", message: error?.localizedDescription ?? ""))
    }
}
