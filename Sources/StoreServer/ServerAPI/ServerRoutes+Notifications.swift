// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreDomain
import StoreService

/// The requests about notifications.
extension ServerRoutes {
    func addNotifications(to router: StoreRouter) {
        router.post("/inApps/v1/notifications/test") { request, context in
            try await respondToCaller(request, context) { caller in
                .json(try await service.orderTestNotification(for: caller))
            }
        }
        router.get("/inApps/v1/notifications/test/:token") { request, context in
            try await respondToCaller(request, context) { caller in
                let token = try context.parameters.require("token")
                guard UUID(uuidString: token) != nil else { throw ServerError.invalidTestNotificationToken }
                return .json(try await service.testNotification(token.lowercased(), for: caller))
            }
        }
        router.post("/inApps/v1/notifications/history") { request, context in
            try await respondToCaller(request, context, readsBody: true) { caller in
                let filter = try await body(of: request, context).notificationFilter()
                var place: NotificationFilter.Place?
                if let token = request.uri.queryParameters["paginationToken"], !token.isEmpty {
                    place = NotificationFilter.Place(String(token))
                    guard place != nil else { throw ServerError.invalidPaginationToken }
                }
                return .json(try await service.notificationHistory(filter, for: caller, after: place))
            }
        }
    }
}
