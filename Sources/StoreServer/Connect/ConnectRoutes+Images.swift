// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreCore
import StoreDomain
import StoreService

/// The pages with the images of apps and products, and the images themselves,
/// which only the team sees here.
extension ConnectRoutes {
    func addImages(to router: StoreRouter) {
        add("apps/:app/promotion", to: router) { PromotionPage(app: try Self.app($0)) }
        add("apps/:app/products/:product/images", to: router) {
            ProductImagesPage(app: try Self.app($0), product: try Self.product($0))
        }
        addAnswer("apps/:app/images/:digest", to: router) { request, context in
            await image(try context.part("digest"), of: nil, in: try Self.app(context), request)
        }
        addAnswer("apps/:app/products/:product/images/:digest", to: router) { request, context in
            await image(try context.part("digest"), of: try Self.product(context), in: try Self.app(context), request)
        }
    }

    private func image(
        _ digest: String, of product: ProductIdentifier?, in app: BundleIdentifier, _ request: Request
    ) async -> Response {
        // A browser asks for all images of a page together.
        await signedIn(request, returningTo: "/connect", places: nil) { visit in
            let found = try await service.imageReader.bytes(of: digest, product: product, in: app, as: visit.user)
            return .isolated(found.bytes, type: found.type)
        }
    }
}
