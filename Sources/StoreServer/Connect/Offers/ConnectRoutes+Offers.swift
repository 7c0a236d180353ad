// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages of offers, codes and scheduled prices.
extension ConnectRoutes {
    func addOffers(to router: StoreRouter) {
        add("apps/:app/products/:product/offers", to: router) {
            OffersPage(app: try Self.app($0), product: try Self.product($0))
        }
        add("apps/:app/products/:product/prices", to: router) {
            PricesPage(app: try Self.app($0), product: try Self.product($0))
        }
        add("apps/:app/codes", to: router) { CodesPage(app: try Self.app($0)) }
        addDownload("apps/:app/codes/:batch/download", to: router) { context, _ in
            CodesDownload(app: try Self.app(context), batch: try context.part("batch"))
        }
    }
}
