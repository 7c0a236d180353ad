// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The products of apps, and their submission to the review.
extension ConnectAPI {
    func addProducts(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/products") { request, context in
            await respond(request, context) { caller in try await Self.list(request.queryValues, context, caller) }
        }
        router.post("/connect/v1/apps/:app/products") { request, context in
            await respond(request, context) { caller in try await registerProduct(request, context, caller) }
        }
        router.get("/connect/v1/apps/:app/products/:product") { request, context in
            await respond(request, context) { caller in
                try await ProductPlace(context).saved(caller).response()
            }
        }
        router.patch("/connect/v1/apps/:app/products/:product") { request, context in
            await respond(request, context) { caller in try await changeProduct(request, context, caller) }
        }
        router.post("/connect/v1/apps/:app/products/:product/submission") { request, context in
            await respond(request, context) { caller in
                let place = try ProductPlace(context)
                let version = try Self.version(of: request)
                try await skipBody(of: request, context)
                return try await changing {
                    try await place.saved(caller)
                } _: {
                    try await caller.service.registeringProduct()
                        .submit(place.product, of: place.app, version: version, by: caller.user)
                }
            }
        }
    }

    private static func list(
        _ query: [String: String], _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        let sort = try Self.sort(query, ProductSort.self)
        let page = try await caller.service.appReader.products(
            of: try app(context), kind: query["kind"] ?? "", containing: query["search"] ?? "", by: sort,
            after: try place(query, in: sort), as: caller.user)
        return .json(
            ConnectAnswers.Products(
                products: page.entries.map(ConnectAnswers.ListedProduct.init), next: page.next?.text))
    }

    private func registerProduct(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let app = try Self.app(context)
        let new = try await read(request, context) { body in NewProduct(reading: &body) }
        let made = try await caller.service.registeringProduct()(new, in: app, by: caller.user)
        let answer = ConnectAnswers.Product(made, in: service)
        return ConnectSaved.product(answer).response(status: .created)
    }

    private func changeProduct(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let place = try ProductPlace(context)
        let version = try Self.version(of: request)
        let found = try await caller.service.appReader.product(place.product, of: place.app, as: caller.user)
        let values = try await read(request, context) { body in
            try ProductRegistration.Values(of: found, changedBy: &body)
        }
        return try await changing {
            try await place.saved(caller)
        } _: {
            // The values are those of `found` with the changes: no later version is replaced by them.
            try await caller.service.registeringProduct().change(
                place.product, of: place.app, to: values, version: version > found.version ? -1 : version,
                by: caller.user)
        }
    }
}

/// The product that a path names.
struct ProductPlace {
    var app: BundleIdentifier
    var product: ProductIdentifier

    init(_ context: StoreRequestContext) throws {
        app = try ConnectAPI.app(context)
        product = ProductIdentifier(try context.part("product"))
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func saved(_ caller: ConnectCaller) async throws -> ConnectSaved {
        let found = try await caller.service.appReader.product(product, of: app, as: caller.user)
        return .product(ConnectAnswers.Product(found, in: caller.service))
    }
}
