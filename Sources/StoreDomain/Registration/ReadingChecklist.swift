// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the steps of a new app up to its first purchase.
package struct ReadingChecklist: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most products of the app that are looked at.
    static let products = 200

    /// The steps of an app of the team.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `notFound`.
    package func callAsFunction(_ app: BundleIdentifier, as user: TeamUser) async throws -> AppChecklist {
        try user.require(.seeApps)
        return try await read { db in
            let actor = try TeamUser.acting(user, may: .seeApps, db)
            var list = AppChecklist(app: try AppRegistration.known(app, of: actor.team, db))
            let products = try ListedProduct.page(of: app, by: .product, after: nil, limit: Self.products, db)
                .map(\.value)
            list.hasProducts = !products.isEmpty
            for product in products where list.sold == nil {
                let registration = try ProductRegistration.known(product.identifier, of: app, db)
                if registration.state(in: db.environment) == .approved {
                    list.sold = registration
                } else {
                    list.unsold = list.unsold ?? registration
                }
            }
            list.hasAddress = try ["", app].contains { owner in
                try !NotificationAddress.all(of: owner, in: db.environment, db).isEmpty
            }
            if db.environment == .sandbox {
                list.hasTester = try !Account.page(of: actor.team, by: .email, after: nil, limit: 1, db).isEmpty
                list.request = try DeviceRequest.newest(of: app, before: nil, limit: ActivityEntry.limit, db).map(
                    \.request
                )
                .first { $0.kind == .payment }
            }
            let bought = try Purchase.newest(in: app, before: nil, limit: ActivityEntry.limit, db)
            list.purchase = bought.first
            list.finished = try bought.first { try $0.revoked == nil && !$0.isUnfinished(db) }
            return list
        }
    }
}
