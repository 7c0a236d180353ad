// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The sandbox testers.
extension ConnectAPI {
    func addTesters(to router: StoreRouter) {
        router.get("/connect/v1/testers") { request, context in
            await respond(request, context) { caller in
                let query = request.queryValues
                let sort = try Self.sort(query, TesterSort.self)
                let page = try await caller.service.testerReader(
                    containing: query["search"] ?? "", storefront: query["storefront"] ?? "", by: sort,
                    after: try Self.place(query, in: sort), as: caller.user)
                return .json(
                    ConnectAnswers.Testers(
                        testers: page.entries.map(ConnectAnswers.ListedTester.init), next: page.next?.text))
            }
        }
        router.post("/connect/v1/testers") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.manageTesters)
                let values = try await read(request, context) { body in TesterValues(reading: &body) }
                let account = try await caller.service.managingTesters().add(values, by: caller.user)
                return try await TesterPlace(identifier: account.identifier).saved(caller).response(status: .created)
            }
        }
        router.get("/connect/v1/testers/:tester") { request, context in
            await respond(request, context) { caller in try await TesterPlace(context).saved(caller).response() }
        }
        router.patch("/connect/v1/testers/:tester") { request, context in
            await respond(request, context) { caller in try await changeTester(request, context, caller) }
        }
        router.delete("/connect/v1/testers/:tester") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                try await caller.service.managingTesters()
                    .remove(try TesterPlace(context).identifier, by: caller.user)
                return Self.done
            }
        }
        addTesterActions(to: router)
        addFamilies(to: router)
    }

    private func addTesterActions(to router: StoreRouter) {
        router.post("/connect/v1/testers/:tester/clock") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.manageTesters)
                let place = try TesterPlace(context)
                let move = try await read(request, context) { body in try MovingClock.Move(reading: &body) }
                return try await carryingOutEachTime(context) {
                    try await caller.service.managingTesters().move(place.identifier, move, by: caller.user)
                    return try await place.saved(caller).response()
                }
            }
        }
        router.delete("/connect/v1/testers/:tester/purchases") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                try await caller.service.managingTesters()
                    .clearPurchases(of: try TesterPlace(context).identifier, by: caller.user)
                return Self.done
            }
        }
        router.post("/connect/v1/testers/:tester/requests/:transaction") { request, context in
            await respond(request, context) { caller in try await decide(request, context, caller) }
        }
    }

    private func addFamilies(to router: StoreRouter) {
        router.post("/connect/v1/testers/:tester/family") { request, context in
            await respond(request, context) { caller in try await change(family: .begin, request, context, caller) }
        }
        router.delete("/connect/v1/testers/:tester/family") { request, context in
            await respond(request, context) { caller in try await change(family: .end, request, context, caller) }
        }
        router.post("/connect/v1/testers/:tester/family/members") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.manageTesters)
                let (email, role) = try await read(request, context) { body in
                    (body.text("email") ?? "", body.text("role") ?? "")
                }
                return try await carryOut(.add(email: email, role: role), of: try TesterPlace(context), caller)
            }
        }
        router.delete("/connect/v1/testers/:tester/family/membership") { request, context in
            await respond(request, context) { caller in try await change(family: .leave, request, context, caller) }
        }
    }

    private func changeTester(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageTesters)
        let (place, tag) = (try TesterPlace(context), try Self.tag(of: request))
        let present = TesterSettings(try await place.record(caller).account)
        let settings = try await read(request, context) { body in
            var settings = present
            settings.read(&body)
            return settings
        }
        return try await changing {
            try await place.saved(caller)
        } _: {
            try await caller.service.managingTesters().change(
                place.identifier, to: settings, before: present.text.named(by: tag), by: caller.user)
        }
    }

    private func decide(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageTesters)
        let (place, transaction) = (try TesterPlace(context), TransactionIdentifier(try context.part("transaction")))
        let decision = try await read(request, context) { $0.text("decision") ?? "" }
        guard ["approve", "decline"].contains(decision) else { throw InvalidFields(unknown: "decision") }
        try await caller.service.decide(
            decision == "approve", about: transaction, of: place.identifier, by: caller.user)
        return try await place.saved(caller).response()
    }

    private func change(
        family change: ManagingTesters.FamilyChange, _ request: Request, _ context: StoreRequestContext,
        _ caller: ConnectCaller
    ) async throws -> Response {
        try await skipBody(of: request, context)
        return try await carryOut(change, of: try TesterPlace(context), caller)
    }

    private func carryOut(
        _ change: ManagingTesters.FamilyChange, of place: TesterPlace, _ caller: ConnectCaller
    ) async throws -> Response {
        try await caller.service.managingTesters().change(family: change, of: place.identifier, by: caller.user)
        return try await place.saved(caller).response()
    }
}

/// The tester that a path names.
struct TesterPlace {
    let identifier: AccountIdentifier

    init(identifier: AccountIdentifier) {
        self.identifier = identifier
    }

    init(_ context: StoreRequestContext) throws {
        self.init(identifier: AccountIdentifier(try context.part("tester")))
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func record(_ caller: ConnectCaller) async throws -> TesterRecord {
        try await caller.service.testerReader.tester(identifier, as: caller.user)
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func saved(_ caller: ConnectCaller) async throws -> ConnectSaved {
        let record = try await record(caller)
        return ConnectSaved(
            ConnectAnswers.Tester(record), version: TesterSettings(record.account).text.hashedVersion)
    }
}
