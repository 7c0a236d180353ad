// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

/// The pages of the operator's review.
extension ConnectRoutes {
    func addReviews(to router: StoreRouter) {
        addWithoutForms("reviews", to: router) { _ in ReviewsPage() }
        add("reviews/:app/:product", to: router) { ReviewPage(app: try Self.app($0), product: try Self.product($0)) }
        addAnswer("reviews/:app/:product/screenshot/:digest", to: router) { request, context in
            let (app, product) = (try Self.app(context), try Self.product(context))
            let digest = try context.part("digest")
            return await signedIn(request, returningTo: "/connect") { visit in
                let found = try await service.reviewReader.screenshot(digest, of: product, in: app, as: visit.user)
                return .isolated(found.bytes, type: found.type)
            }
        }
    }
}
