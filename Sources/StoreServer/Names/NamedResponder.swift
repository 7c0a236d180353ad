// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// Answers a request by the environment of the name that it was sent to, with
/// the routes for sellers' servers: `/verifyReceipt` and `/inApps`.
struct NamedResponder: HTTPResponder {
    private let sandbox: RouterResponder<StoreRequestContext>
    private let production: RouterResponder<StoreRequestContext>

    init(
        sandbox: StoreService, production: StoreService, _ verifyReceipt: VerifyReceiptConfiguration,
        _ limits: RequestLimits
    ) {
        self.sandbox = Self.router(sandbox, verifyReceipt, limits).buildResponder()
        self.production = Self.router(production, verifyReceipt, limits).buildResponder()
    }

    private static func router(
        _ service: StoreService, _ verifyReceipt: VerifyReceiptConfiguration, _ limits: RequestLimits
    ) -> StoreRouter {
        let router = StoreRouter()
        router.add(middleware: FailureMiddleware(service: service))
        router.add(middleware: NameMiddleware())
        VerifyReceiptRoutes(service: service, limits: limits, configuration: verifyReceipt).add(to: router)
        ServerRoutes(service: service, limits: limits).add(to: router)
        return router
    }

    @Sendable
    func respond(to request: Request, context: StoreRequestContext) async throws -> Response {
        let isProduction = AppleNames.environment(ofHost: request.head.authority) == .production
        return try await (isProduction ? production : sandbox).respond(to: request, context: context)
    }
}

/// Refuses requests that are sent to another name than ``AppleNames``.
private struct NameMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext,
        next: (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard AppleNames.environment(ofHost: request.head.authority) != nil else {
            throw StoreFailure(
                .crossSite,
                "This listener answers to \(AppleNames.all.joined(separator: ", ")). Send other requests to --listen.")
        }
        return try await next(request, context)
    }
}
