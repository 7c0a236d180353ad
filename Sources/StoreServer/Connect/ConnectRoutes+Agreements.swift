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
            await text(request) { Int64(try context.part("number")) ?? 0 }
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
            return .file(contract.text.utf8, type: "text/plain; charset=utf-8")
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }
}
