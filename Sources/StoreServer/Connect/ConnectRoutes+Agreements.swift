// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The page of agreements, and the text of each version of the contract.
extension ConnectRoutes {
    func addAgreements(to router: StoreRouter) {
        add("agreements", to: router) { _ in AgreementsPage() }
        router.get("/connect/agreements/:number") { request, context in
            await text(request) { Int64(try context.parameters.require("number")) ?? 0 }
        }
        router.onOtherMethods("/connect/agreements/:number", allowed: .get)
    }

    private func text(_ request: Request, _ number: () throws -> Int64) async -> Response {
        do {
            guard let visit = try await visit(of: request) else {
                return try await entry.signIn(
                    request, failure: StoreFailure(.forbidden, "Sign in first.", reason: .signedOut),
                    returningTo: ConnectPlace.agreements.rawValue)
            }
            let contract = try await service.agreementReader.contract(try number(), as: visit.user)
            var headers: HTTPFields = [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy: "default-src 'none'",
            ]
            if let name = HTTPField.Name("X-Content-Type-Options") { headers[name] = "nosniff" }
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: contract.text)))
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }
}
