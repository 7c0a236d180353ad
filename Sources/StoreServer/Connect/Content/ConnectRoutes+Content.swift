// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The page with the content of a product, whose form has a file of up to two
/// gigabytes.
extension ConnectRoutes {
    func addContent(to router: StoreRouter) {
        router.get("/connect/apps/:app/products/:product/content") { request, context in
            await show(try Self.contentPage(context), request)
        }
        router.post("/connect/apps/:app/products/:product/content") { request, context in
            let page = try Self.contentPage(context)
            guard let boundary = request.headers[.contentType].flatMap(MultipartForm.boundary) else {
                return await answer(page, request, from: context.clientAddress)
            }
            return await receive(
                ContentReceiver(page: page, limits: authentication.limits, boundary: boundary), request, context)
        }
    }

    private static func contentPage(_ context: StoreRequestContext) throws -> ContentPage {
        ContentPage(app: try app(context), product: try product(context))
    }

    /// Answers a form with a package. The user and the right are checked
    /// before the body is read.
    private func receive(
        _ receiver: ContentReceiver, _ request: Request, _ context: StoreRequestContext
    ) async -> Response {
        do {
            try authentication.requireOwnOrigin(request)
            return await signedIn(request, returningTo: request.uri.path) { visit in
                do {
                    return try await response(to: try await receiver(request, visit, on: context.channel), request)
                } catch {
                    return try await refusal(error, receiver.page, visit)
                }
            }
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }
}
