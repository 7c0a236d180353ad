// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

/// The page of agreements, and the text of each version of the contract.
extension ConnectRoutes {
    func addAgreements(to router: StoreRouter) {
        add("agreements", to: router) { _ in AgreementsPage() }
        addAnswer("agreements/:number", to: router) { request, context in
            let number = Int64(try context.part("number")) ?? 0
            return await signedIn(request, returningTo: ConnectPlace.agreements.rawValue) { visit in
                let contract = try await service.agreementReader.contract(number, as: visit.user)
                return .isolated(contract.text.utf8, type: "text/plain; charset=utf-8")
            }
        }
    }
}
