// SPDX-License-Identifier: Apache-2.0

import Foundation

/// BuyFruit's helper: the tutorial's singleton, with the identifiers of the
/// property list in the app's bundle.
final class FruitIAPHelper: IAPHelper {
    static let shared = FruitIAPHelper(list: .bundled)

    let list: ProductList

    private init(list: ProductList) {
        self.list = list
        super.init(
            productIdentifiers: Set(list.identifiers), consumableIdentifiers: Set(list.consumables),
            subscriptionIdentifiers: Set(list.subscriptions))
    }
}
