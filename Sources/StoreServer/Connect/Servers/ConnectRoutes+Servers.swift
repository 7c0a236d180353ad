// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages about the servers of an app's seller.
extension ConnectRoutes {
    func addServers(to router: StoreRouter) {
        add("apps/:app/notifications", to: router) { AddressesPage(app: try Self.app($0)) }
        add("apps/:app/secrets", to: router) { SecretsPage(app: try Self.app($0)) }
    }
}
