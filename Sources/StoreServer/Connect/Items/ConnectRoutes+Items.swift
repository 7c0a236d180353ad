// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

/// The pages of items other than apps, and those of the store pages and the
/// versions of apps.
extension ConnectRoutes {
    func addItems(to router: StoreRouter) {
        addWithoutForms("items", to: router) { _ in TeamItemsPage() }
        add("new-item", to: router) { _ in NewItemPage() }
        // A number that isn't one is an unknown item's.
        add("apps/:app/store-page", to: router) { StorePage(app: try Self.app($0)) }
        add("apps/:app/versions", to: router) { VersionsPage(app: try Self.app($0)) }
        add("items/:item", to: router) { TeamItemPage(identifier: Int64(try $0.part("item")) ?? 0) }
    }
}
