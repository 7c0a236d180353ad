// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain

/// The pages of offers, codes and scheduled prices.
extension ConnectRoutes {
    func addOffers(to router: StoreRouter) {
        router.get("/connect/apps/:app/products/:product/offers") { request, context in
            await show(try Self.offersPage(context), request)
        }
        router.post("/connect/apps/:app/products/:product/offers") { request, context in
            await answer(try Self.offersPage(context), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/apps/:app/products/:product/offers", allowed: .get, .post)
        router.get("/connect/apps/:app/products/:product/prices") { request, context in
            await show(try Self.pricesPage(context), request)
        }
        router.post("/connect/apps/:app/products/:product/prices") { request, context in
            await answer(try Self.pricesPage(context), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/apps/:app/products/:product/prices", allowed: .get, .post)
        router.get("/connect/apps/:app/codes") { request, context in
            await show(CodesPage(app: try Self.app(context)), request)
        }
        router.post("/connect/apps/:app/codes") { request, context in
            await answer(CodesPage(app: try Self.app(context)), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/apps/:app/codes", allowed: .get, .post)
        router.get("/connect/apps/:app/codes/:batch/download") { request, context in
            await download(
                CodesDownload(app: try Self.app(context), batch: try context.part("batch")), request)
        }
        router.onOtherMethods("/connect/apps/:app/codes/:batch/download", allowed: .get)
    }

    private static func pricesPage(_ context: StoreRequestContext) throws -> PricesPage {
        PricesPage(app: try app(context), product: try product(context))
    }

    private static func offersPage(_ context: StoreRequestContext) throws -> OffersPage {
        OffersPage(app: try app(context), product: try product(context))
    }
}
