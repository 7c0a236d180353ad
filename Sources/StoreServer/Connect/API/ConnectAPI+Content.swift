// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The versions of the content that the store hosts for products.
extension ConnectAPI {
    func addContent(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/products/:product/content") { request, context in
            await respond(request, context) { caller in
                let place = try ProductPlace(context)
                let page = try await caller.service.contentReader.page(
                    of: place.product, in: place.app, after: request.queryValues["after"] ?? "", as: caller.user)
                return .json(ConnectAnswers.Content(page))
            }
        }
        router.put("/connect/v1/apps/:app/products/:product/content") { request, context in
            await respond(request, context) { caller in
                let place = try ProductPlace(context)
                let receiver = PackageReceiver(product: place.product, app: place.app, limits: limits)
                let published = try await receiver(
                    request, for: caller.service, by: caller.user, on: context.channel)
                return .json(ConnectAnswers.ContentVersion(published))
            }
        }
        router.delete("/connect/v1/apps/:app/products/:product/content/:version") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                let place = try ProductPlace(context)
                try await caller.service.hostingTeamContent().remove(
                    try context.part("version"), of: place.product, in: place.app, by: caller.user)
                return Self.done
            }
        }
    }
}
