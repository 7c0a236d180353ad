// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The images of apps and products, and the promoted products.
extension ConnectAPI {
    func addImages(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/icon") { request, context in
            await respond(request, context) { caller in try await Self.image(ImagePlace(.icon, context), caller) }
        }
        router.put("/connect/v1/apps/:app/icon") { request, context in
            await respond(request, context) { caller in
                try await setImage(ImagePlace(.icon, context), request, context, caller)
            }
        }
        router.delete("/connect/v1/apps/:app/icon") { request, context in
            await respond(request, context) { caller in
                try await removeImage(ImagePlace(.icon, context), request, context, caller)
            }
        }
        addProductImages(to: router)
        addPromotions(to: router)
    }

    private func addProductImages(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/products/:product/image") { request, context in
            await respond(request, context) { caller in try await Self.image(ImagePlace(.promotion, context), caller) }
        }
        router.put("/connect/v1/apps/:app/products/:product/image") { request, context in
            await respond(request, context) { caller in
                try await setImage(ImagePlace(.promotion, context), request, context, caller)
            }
        }
        router.delete("/connect/v1/apps/:app/products/:product/image") { request, context in
            await respond(request, context) { caller in
                try await removeImage(ImagePlace(.promotion, context), request, context, caller)
            }
        }
        router.get("/connect/v1/apps/:app/products/:product/screenshot") { request, context in
            await respond(request, context) { caller in try await Self.image(ImagePlace(.review, context), caller) }
        }
        router.put("/connect/v1/apps/:app/products/:product/screenshot") { request, context in
            await respond(request, context) { caller in
                try await setImage(ImagePlace(.review, context), request, context, caller)
            }
        }
        router.delete("/connect/v1/apps/:app/products/:product/screenshot") { request, context in
            await respond(request, context) { caller in
                try await removeImage(ImagePlace(.review, context), request, context, caller)
            }
        }
    }

    private func addPromotions(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/promotions") { request, context in
            await respond(request, context) { caller in
                try await Self.promotions(of: try Self.app(context), caller).saved.response()
            }
        }
        router.post("/connect/v1/apps/:app/promotions") { request, context in
            await respond(request, context) { caller in try await arrange(request, context, caller) }
        }
    }

    /// The bytes of an image.
    private static func image(_ place: ImagePlace, _ caller: ConnectCaller) async throws -> Response {
        let image = try await place.image(caller)
        let found = try await caller.service.imageReader.bytes(
            of: image.digest, product: place.product, in: place.app, as: caller.user)
        return .isolated(found.bytes, type: found.type)
    }

    private func setImage(
        _ place: ImagePlace, _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(RegisteringImage.action(place.purpose))
        try await readFile(request, context, upTo: RegistrationImage.largest) { bytes in
            try await caller.service.registeringImage()(
                bytes, for: place.purpose, of: place.product, in: place.app, by: caller.user)
        }
        return .json(ConnectAnswers.Image(try await place.image(caller)))
    }

    private func removeImage(
        _ place: ImagePlace, _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try await skipBody(of: request, context)
        try await caller.service.registeringImage()
            .remove(place.purpose, of: place.product, in: place.app, by: caller.user)
        return Self.done
    }

    private func arrange(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.promoteProducts)
        let (app, tag) = (try Self.app(context), try Self.tag(of: request))
        let (change, product) = try await read(request, context) { body in
            (body.text("change") ?? "", ProductIdentifier(body.text("product") ?? ""))
        }
        guard let change = ArrangingPromotions.Change(rawValue: change) else { throw InvalidFields(unknown: "change") }
        let present = try await Self.promotions(of: app, caller).summary
        return try await changing {
            try await Self.promotions(of: app, caller).saved
        } _: {
            try await caller.service.arrangingPromotions()(
                change, product, of: app, before: present.named(by: tag), by: caller.user)
        }
    }

    private static func promotions(
        of app: BundleIdentifier, _ caller: ConnectCaller
    ) async throws -> (summary: String, saved: ConnectSaved) {
        let entries = try await caller.service.promotionReader.list(of: app, as: caller.user)
        let summary = entries.map(\.promoted).summary
        return (summary, ConnectSaved(ConnectAnswers.Promotions(entries), version: summary.hashedVersion))
    }
}

/// The image of a purpose, of the app or the product that a path names.
private struct ImagePlace {
    let purpose: RegistrationImage.Purpose
    let app: BundleIdentifier
    /// `nil` for an icon, which is the app's.
    let product: ProductIdentifier?

    init(_ purpose: RegistrationImage.Purpose, _ context: StoreRequestContext) throws {
        self.purpose = purpose
        app = try ConnectAPI.app(context)
        product = purpose == .icon ? nil : ProductIdentifier(try context.part("product"))
    }

    /// - Throws: `DomainError`: `forbidden`; `notFound` without such an image.
    func image(_ caller: ConnectCaller) async throws -> RegistrationImage {
        let images = try await caller.service.imageReader.all(of: product, in: app, as: caller.user)
        guard let image = images[purpose] else { throw DomainError(.notFound, "There is no such image.") }
        return image
    }
}
