// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird

/// Refuses requests that don't come from the app's own pages.
///
/// Any page in the customer's browser can send requests to 127.0.0.1. A
/// browser names the origin of a POST in its headers, and that origin has to
/// be the app's. A foreign name that resolves to 127.0.0.1 (DNS rebinding) is
/// recognised by the Host header.
struct OwnPagesOnly: RouterMiddleware {
    typealias Context = BasicRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority ?? ""
        let name = host.split(separator: ":").first?.lowercased() ?? ""
        guard ["127.0.0.1", "localhost"].contains(name) else {
            throw HTTPError(.forbidden, message: "FlowerGarden is for this computer only.")
        }
        if request.method != .get && request.method != .head {
            guard isFromHere(request, host: host) else {
                throw HTTPError(.forbidden, message: "Only FlowerGarden's own pages can do this.")
            }
        }
        var response = try await next(request, context)
        response.headers[values: .contentSecurityPolicy] = [
            "default-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ]
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    /// Whether a request comes from a page of the app. A program that isn't a
    /// browser sends neither header, and its requests are accepted.
    private func isFromHere(_ request: Request, host: String) -> Bool {
        let site = request.headers.first { $0.name.canonicalName == "sec-fetch-site" }?.value
        guard site == nil || site == "same-origin" else { return false }
        return request.headers[.origin].map { $0 == "http://\(host)" } ?? true
    }
}
