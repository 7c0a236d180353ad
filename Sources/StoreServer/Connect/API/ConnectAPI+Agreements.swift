// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The contract with the operator, the bank account and the tax form.
///
/// There is no request that accepts the contract: that is a person's act, on
/// the page of the agreements.
extension ConnectAPI {
    func addAgreements(to router: StoreRouter) {
        router.get("/connect/v1/agreements") { request, context in
            await respond(request, context) { caller in try await Self.agreements(caller).response() }
        }
        router.get("/connect/v1/agreements/contracts/:number") { request, context in
            await respond(request, context) { caller in
                let contract = try await caller.service.agreementReader.contract(
                    Int64(try context.part("number")) ?? 0, as: caller.user)
                return .isolated(contract.text.utf8, type: "text/plain; charset=utf-8")
            }
        }
        router.put("/connect/v1/agreements/bank") { request, context in
            await respond(request, context) { caller in try await setBank(request, context, caller) }
        }
        router.put("/connect/v1/agreements/tax") { request, context in
            await respond(request, context) { caller in try await setTax(request, context, caller) }
        }
    }

    private static func agreements(_ caller: ConnectCaller) async throws -> ConnectSaved {
        let found = try await caller.service.agreementReader.agreements(as: caller.user)
        return ConnectSaved(ConnectAnswers.Agreements(found), version: String(found.payee.version))
    }

    private func setBank(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editPayee)
        let version = try Self.version(of: request)
        let values = try await read(request, context) { body in
            Payee.BankValues(
                holder: body.text("holder") ?? "", iban: body.text("iban") ?? "", bic: body.text("bic") ?? "")
        }
        return try await changing {
            try await Self.agreements(caller)
        } _: {
            try await caller.service.signingAgreements().setBank(values, version: version, by: caller.user)
        }
    }

    private func setTax(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editPayee)
        let version = try Self.version(of: request)
        let values = try await read(request, context) { body in
            Payee.TaxValues(
                legalName: body.text("legalName") ?? "", address: body.text("address") ?? "",
                country: body.text("country") ?? "", number: body.text("taxNumber") ?? "")
        }
        return try await changing {
            try await Self.agreements(caller)
        } _: {
            try await caller.service.signingAgreements().setTax(values, version: version, by: caller.user)
        }
    }
}
