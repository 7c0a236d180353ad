// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreDomain
import StoreService

/// The requests that change something.
extension ServerRoutes {
    func addChanges(to router: StoreRouter) {
        router.post("/inApps/v1/transactions/:transaction/finish") { request, context in
            try await respond(request, context) { app in
                try await service.finishTransaction(try Self.transaction(context), of: app)
                return Self.done(.ok)
            }
        }
        router.put("/inApps/v1/transactions/:transaction/appAccountToken") { request, context in
            try await respond(request, context, readsBody: true) { app in
                let transaction = try Self.transaction(context)
                let body = try await body(of: request, context)
                let token = try body.text("appAccountToken", or: .invalidAccountTokenUUID)
                try await service.setAccountToken(token, on: transaction, of: app)
                return Self.done(.ok)
            }
        }
        addConsumption(to: router)
        addExtensions(to: router)
    }

    private func addConsumption(to router: StoreRouter) {
        router.put("/inApps/v1/transactions/consumption/:transaction") { request, context in
            try await save(request, context) { body throws(ServerError) in try body.consumptionOfVersion1() }
        }
        router.put("/inApps/v2/transactions/consumption/:transaction") { request, context in
            try await save(request, context) { body throws(ServerError) in try body.consumption() }
        }
    }

    /// Saves a seller's information about a purchase, and answers 202.
    private func save(
        _ request: Request, _ context: StoreRequestContext,
        _ read: (ServerBody) throws(ServerError) -> Consumption
    ) async throws -> Response {
        try await respond(request, context, readsBody: true) { app in
            let transaction = try Self.transaction(context)
            let consumption = try read(try await body(of: request, context))
            try await service.saveConsumption(consumption, about: transaction, of: app)
            return Self.done(.accepted)
        }
    }

    private func addExtensions(to router: StoreRouter) {
        router.put("/inApps/v1/subscriptions/extend/:transaction") { request, context in
            try await respond(request, context, readsBody: true) { app in
                let original = try Self.transaction(context, or: .invalidOriginalTransaction)
                let order = try await body(of: request, context).renewalExtension()
                return .json(try await service.extendRenewalDate(original, of: app, by: order))
            }
        }
        router.post("/inApps/v1/subscriptions/extend/mass") { request, context in
            try await respond(request, context, readsBody: true) { app in
                let body = try await body(of: request, context)
                let order = try body.massExtension()
                let product = ProductIdentifier(try body.text("productId", or: .invalidProduct))
                let storefronts = try body.storefronts()
                return .json(
                    try await service.orderMassExtension(product, of: app, by: order, storefronts: storefronts))
            }
        }
        router.get("/inApps/v1/subscriptions/extend/mass/:product/:request") { request, context in
            try await respond(request, context) { app in
                let (product, request) = (try context.part("product"), try context.part("request"))
                guard product.utf8.count <= HistoryQuery.longestValue else { throw ServerError.invalidProduct }
                guard UUID(uuidString: request) != nil else { throw ServerError.invalidRequestIdentifier }
                return .json(
                    try await service.massExtension(
                        RenewalExtensionIdentifier(request), product: ProductIdentifier(product), of: app))
            }
        }
    }

    /// An answer without a body.
    private static func done(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: [.cacheControl: "no-store"])
    }
}
