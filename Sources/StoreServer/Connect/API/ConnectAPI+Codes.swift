// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The codes of apps.
extension ConnectAPI {
    func addCodes(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/codes") { request, context in
            await respond(request, context) { caller in
                let page = try await caller.service.makingAppCodes().batches(
                    of: try Self.app(context), before: request.queryValues["before"] ?? "", as: caller.user)
                return .json(
                    ConnectAnswers.Batches(batches: page.entries.map(ConnectAnswers.Batch.init), next: page.next))
            }
        }
        router.post("/connect/v1/apps/:app/codes") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in try await makeCodes(request, context, caller) }
        }
        router.get("/connect/v1/apps/:app/codes/:batch") { request, context in
            await respond(request, context) { caller in
                try await Self.batch(try context.part("batch"), try Self.app(context), caller)
            }
        }
        router.get("/connect/v1/apps/:app/codes/:batch/codes") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in try await codes(request, context, caller) }
        }
        router.post("/connect/v1/apps/:app/codes/:batch/completion") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await skipBody(of: request, context)
                let (app, batch) = (try Self.app(context), try context.part("batch"))
                try await caller.service.makingAppCodes().complete(batch, of: app, by: caller.user)
                return try await Self.batch(batch, app, caller)
            }
        }
        router.post("/connect/v1/apps/:app/codes/:batch/revocation") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                let (app, batch) = (try Self.app(context), try context.part("batch"))
                try await caller.service.makingAppCodes().revoke(batch, of: app, by: caller.user)
                return try await Self.batch(batch, app, caller)
            }
        }
    }

    private static func batch(
        _ batch: String, _ app: BundleIdentifier, _ caller: ConnectCaller, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let found = try await caller.service.makingAppCodes().batch(batch, of: app, as: caller.user)
        return .json(ConnectAnswers.Batch(found), status: status)
    }

    private func makeCodes(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageOffers)
        let app = try Self.app(context)
        let values = try await read(request, context) { body in CodeValues(reading: &body) }
        let make = {
            let batch = try await caller.service.makingAppCodes()(
                values, isWord: !values.word.isEmpty, of: app, by: caller.user)
            return try await Self.batch(batch, app, caller, status: .created)
        }
        return values.batch.isEmpty ? try await carryingOutEachTime(context, make) : try await make()
    }

    /// The codes of a batch in JSON, or as a table for a program that accepts
    /// CSV.
    private func codes(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        let (app, batch) = (try Self.app(context), try context.part("batch"))
        if request.headers[.accept]?.contains("text/csv") == true {
            return try await CodesDownload(app: app, batch: batch).file(caller.service, as: caller.user).response
        }
        let found = try await caller.service.makingAppCodes().codes(of: batch, of: app, as: caller.user)
        return .json(
            ConnectAnswers.Codes(
                codes: found.map { ConnectAnswers.Code(code: $0.code, redeemed: $0.redeemed) }))
    }
}
