// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
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
        router.get("/connect/apps/:app/images/:digest") { request, context in
            await image(request) { (try Self.app(context), nil, try context.part("digest")) }
        }
        router.get("/connect/apps/:app/products/:product/images/:digest") { request, context in
            await image(request) {
                (try Self.app(context), try Self.product(context), try context.part("digest"))
            }
        }
        router.onOtherMethods("/connect/apps/:app/images/:digest", allowed: .get)
        router.onOtherMethods("/connect/apps/:app/products/:product/images/:digest", allowed: .get)
    }

    /// Adds a page with forms at a path behind `/connect/`.
    func add<Page: ConnectPage>(
        _ path: String, to router: StoreRouter,
        _ page: @escaping @Sendable (StoreRequestContext) throws -> Page
    ) {
        router.get("/connect/\(path)") { request, context in await show(try page(context), request) }
        router.post("/connect/\(path)") { request, context in
            await answer(try page(context), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/\(path)", allowed: .get, .post)
    }

    static func product(_ context: StoreRequestContext) throws -> ProductIdentifier {
        ProductIdentifier(try context.part("product"))
    }

    private func image(
        _ request: Request, _ place: () throws -> (BundleIdentifier, ProductIdentifier?, String)
    ) async -> Response {
        do {
            guard let visit = try await visit(of: request) else {
                return try await entry.signIn(
                    request, failure: StoreFailure(.forbidden, "Sign in first.", reason: .signedOut),
                    returningTo: "/connect")
            }
            let (app, product, digest) = try place()
            let found = try await service.imageReader.bytes(of: digest, product: product, in: app, as: visit.user)
            return .file(found.bytes, type: found.type)
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }
}
