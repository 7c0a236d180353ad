// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The sandbox's page in the place of a bank's, on which the customer of a
/// pending payment confirms or declines it. Its address contains the number
/// of the payment, which only the pages of its sheet and `storectl` show.
struct SandboxPaymentRoutes {
    let service: StoreService
    let limits: RequestLimits
    let pages: SandboxBankPages

    func add(to router: StoreRouter) {
        router.get("\(SandboxPayment.folder)/:number") { request, context in
            await show(PaymentIdentifier(try context.parameters.require("number")), request)
        }
        router.post("\(SandboxPayment.folder)/:number") { request, context in
            let number = PaymentIdentifier(try context.parameters.require("number"))
            return await answer(number, request, from: context.clientAddress)
        }
    }

    private func show(_ number: PaymentIdentifier, _ request: Request) async -> Response {
        do {
            let payment = try await service.sandboxPayment(number)
            if let refusal = payment.refusal(at: service.clock.now()) { throw refusal }
            return pages.bank(payment, environment: service.environment, in: PageLanguage(request))
        } catch {
            return pages.common.failure(service.failure(of: error, at: "sandbox/payments"), request: request)
        }
    }

    private func answer(_ number: PaymentIdentifier, _ request: Request, from address: String?) async -> Response {
        do {
            try request.refuseOtherOrigins(of: service.publicURL)
            let form = try await limits.form(of: request, from: address)
            guard let decision = form.decision, ["confirm", "decline"].contains(decision) else {
                throw StoreFailure(.invalid, "decision is confirm or decline.")
            }
            try await service.answerOnPage(number, isConfirmed: decision == "confirm")
            return pages.result(isConfirmed: decision == "confirm", request: request)
        } catch {
            return pages.common.failure(service.failure(of: error, at: "sandbox/payments"), request: request)
        }
    }
}
