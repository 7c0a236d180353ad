// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The offers of products.
extension ConnectAPI {
    func addOffers(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/products/:product/offers") { request, context in
            await respond(request, context) { caller in try await ProductPlace(context).offers(caller).response() }
        }
        router.post("/connect/v1/apps/:app/products/:product/offers") { request, context in
            await respond(request, context) { caller in try await addOffer(request, context, caller) }
        }
        router.delete("/connect/v1/apps/:app/products/:product/offers/introductory") { request, context in
            await respond(request, context) { caller in
                try await removeOffer(.introductory, named: "", request, context, caller)
            }
        }
        router.delete("/connect/v1/apps/:app/products/:product/offers/:kind/:offer") { request, context in
            await respond(request, context) { caller in
                guard let kind = Product.Offer.Kind(rawValue: try context.part("kind")), kind != .introductory else {
                    throw DomainError(.notFound, "The product has no such offer.")
                }
                return try await removeOffer(kind, named: try context.part("offer"), request, context, caller)
            }
        }
    }

    private func addOffer(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageOffers)
        let place = try ProductPlace(context)
        let version = try Self.version(of: request)
        let values = try await read(request, context) { body in OfferValues(reading: &body) }
        return try await changing(status: .created) {
            try await place.offers(caller)
        } _: {
            try await caller.service.registeringOffer().add(
                values, to: place.product, of: place.app, version: version, by: caller.user)
        }
    }

    private func removeOffer(
        _ kind: Product.Offer.Kind, named name: String, _ request: Request, _ context: StoreRequestContext,
        _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageOffers)
        let place = try ProductPlace(context)
        let version = try Self.version(of: request)
        try await skipBody(of: request, context)
        return try await changing {
            try await place.offers(caller)
        } _: {
            try await caller.service.registeringOffer().remove(
                kind, named: name, from: place.product, of: place.app, version: version, by: caller.user)
        }
    }
}

extension ProductPlace {
    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func offers(_ caller: ConnectCaller) async throws -> ConnectSaved {
        let found = try await caller.service.appReader.product(product, of: app, as: caller.user)
        return ConnectSaved(ConnectAnswers.Offers(found), version: String(found.version))
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func prices(_ caller: ConnectCaller) async throws -> ConnectSaved {
        let found = try await caller.service.pricingProduct().prices(of: product, in: app, as: caller.user)
        return ConnectSaved(ConnectAnswers.PlannedPrices(found), version: found.version.hashedVersion)
    }
}

/// The scheduled prices of products.
extension ConnectAPI {
    func addPrices(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/products/:product/scheduled-prices") { request, context in
            await respond(request, context) { caller in try await ProductPlace(context).prices(caller).response() }
        }
        router.post("/connect/v1/apps/:app/products/:product/scheduled-prices") { request, context in
            await respond(request, context) { caller in try await schedule(request, context, caller) }
        }
        router.delete("/connect/v1/apps/:app/products/:product/scheduled-prices/:change") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                let place = try ProductPlace(context)
                try await caller.service.pricingProduct().cancel(
                    PriceChangeIdentifier(try context.part("change")), of: place.product, in: place.app,
                    by: caller.user)
                return Self.done
            }
        }
    }

    private func schedule(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let place = try ProductPlace(context)
        let tag = try Self.tag(of: request)
        let values = try await read(request, context) { body in PriceValues(reading: &body) }
        let pricing = try caller.service.pricingProduct()
        let present = try await pricing.prices(of: place.product, in: place.app, as: caller.user).version
        return try await changing(status: .created) {
            try await place.prices(caller)
        } _: {
            try await pricing.schedule(
                values, of: place.product, in: place.app, version: present.named(by: tag), by: caller.user)
        }
    }
}
