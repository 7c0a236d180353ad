// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The third way: values in the key-value store, which all devices of the
/// account have. The content is downloaded on each of them.
struct InKeyValueStore {
    let store: NSUbiquitousKeyValueStore

    func isPurchased(_ product: String) -> Bool { store.bool(forKey: product) }

    func setPurchased(_ product: String) {
        store.set(true, forKey: product)
        store.synchronize()
    }
}
