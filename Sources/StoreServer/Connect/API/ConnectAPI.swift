// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import StoreAPI
import StoreDomain
import StoreService

/// The key of a request in the place of a user, with its team.
struct ConnectCaller: Sendable {
    let service: StoreService
    var user: TeamUser
    var team: Team
}

/// Connect's API (`/connect/v1`): the actions of the pages, by the same use
/// cases and with the same table of roles, for programs with a key of the team.
struct ConnectAPI {
    let service: StoreService
    let limits: RequestLimits

    func add(to router: StoreRouter) {
        addTeam(to: router)
        addUsers(to: router)
        addApps(to: router)
        addProducts(to: router)
        addAddresses(to: router)
        addSecrets(to: router)
        addStorePages(to: router)
        addVersions(to: router)
        addFiles(to: router)
        addOffers(to: router)
        addCodes(to: router)
        addContacts(to: router)
        addPrices(to: router)
        addTesters(to: router)
        addImages(to: router)
        addContent(to: router)
        addItems(to: router)
        addReviews(to: router)
        addAgreements(to: router)
        addTransactions(to: router)
    }

    /// Authenticates a request, and answers it in a place of some, which one with a body takes when that has arrived.
    func respond(
        _ request: Request, _ context: StoreRequestContext,
        in places: KeyPath<RequestLimits, TeamPlaces> = \.connectPlaces,
        _ body: (ConnectCaller) async throws -> Response
    ) async -> Response {
        do {
            let (user, team) = try await service.authenticateConnect(
                authorization: request.headers[.authorization],
                for: "\(request.method.rawValue) \(request.uri.path)")
            if let seconds = limits.connectRequests.take(team.identifier.rawValue, now: service.clock.now()) {
                throw StoreFailure(
                    .throttled, "The team sends too many requests: try again in \(seconds) s.", retryAfter: seconds)
            }
            let place = TeamPlaces.Later(limits[keyPath: places], user)
            defer { place.giveBack() }
            if request.method == .get || request.method == .head { try place.take() }
            return try await TeamPlaces.Later.$ofRequest.withValue(place) {
                try await body(ConnectCaller(service: service, user: user, team: team))
            }
        } catch let refusal as JSONWebToken.Refusal {
            return refused(StoreFailure(.credentialsMissing, "\(refusal)"))
        } catch let conflict as ConnectConflict {
            return refused(conflict.failure, saved: conflict.saved)
        } catch let error as InvalidFields {
            let failure = service.failure(of: error, at: context.endpointPath ?? "?")
            return refused(failure, fields: error.problems.map(ConnectFailure.Problem.init))
        } catch {
            return refused(service.failure(of: error, at: context.endpointPath ?? "?"))
        }
    }

    private func refused(
        _ failure: StoreFailure, fields: [ConnectFailure.Problem]? = nil, saved: ConnectSaved? = nil
    ) -> Response {
        var response = Response.json(ConnectFailure(failure, fields: fields, saved: saved), status: failure.status)
        response.headers[.retryAfter] = failure.retryAfter.map(String.init)
        response.headers[.eTag] = saved?.tag
        if failure.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    /// Reads the body of a request, after which nothing of it is left over.
    func read<Value>(
        _ request: Request, _ context: StoreRequestContext, _ reading: (inout ConnectBody) throws -> Value
    ) async throws -> Value {
        try await limits.bodies.withBody(of: request, from: context.clientAddress, upTo: ConnectBody.limit) { bytes in
            try TeamPlaces.Later.ofRequest?.take()
            var body = try ConnectBody(bytes)
            let value = try reading(&body)
            try body.finish()
            return value
        }
    }

    /// Reads the body of a request that needs none, and ignores it.
    func skipBody(of request: Request, _ context: StoreRequestContext) async throws {
        try await limits.bodies.withBody(of: request, from: context.clientAddress, upTo: ConnectBody.limit) { _ in
            try TeamPlaces.Later.ofRequest?.take()
        }
    }

    /// Reads a file that is the body of a request.
    func readFile<Value>(
        _ request: Request, _ context: StoreRequestContext, upTo limit: Int, _ use: (Data) async throws -> Value
    ) async throws -> Value {
        try await limits.bodies.withBody(of: request, from: context.clientAddress, upTo: limit) { bytes in
            try TeamPlaces.Later.ofRequest?.take()
            return try await use(Data(bytes.readableBytesView))
        }
    }

    /// Carries out a change, and answers with the saved values; one of an
    /// object that another user has changed is refused with them.
    func changing(
        status: HTTPResponse.Status = .ok, _ saved: () async throws -> ConnectSaved,
        _ change: () async throws -> Void
    ) async throws -> Response {
        try await refusing(saved, change)
        return try await saved().response(status: status)
    }

    /// Carries out a change; one of an object that another user has changed is
    /// refused with the saved values.
    func refusing(_ saved: () async throws -> ConnectSaved, _ change: () async throws -> Void) async throws {
        do {
            try await change()
        } catch let error as DomainError where [.changed, .decided].contains(error.code) {
            let failure = StoreFailure(
                error.code == .changed ? .changed : .decided,
                error.code == .changed
                    ? "Another user has changed this meanwhile. \"saved\" has the present values: compare, and send "
                        + "the change again with their ETag." : error.message)
            throw ConnectConflict(failure: failure, saved: try await saved())
        }
    }

    /// Carries out a request that does more when it is sent again. An outage
    /// doesn't promise that it is carried out once.
    func carryingOutEachTime(
        _ context: StoreRequestContext, _ body: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await body()
        } catch let error where StoreContext.outage(error) != nil {
            let failure = service.failure(of: error, at: context.endpointPath ?? "?")
            throw StoreFailure(
                .unavailable,
                "The store can't answer now, and it may have carried this out: read the present values before you "
                    + "send it again, because it is carried out each time.", retryAfter: failure.retryAfter)
        }
    }

    /// The tag of `If-Match`, which names the values that a change is of.
    ///
    /// - Throws: `StoreFailure` `invalid` without one.
    static func tag(of request: Request) throws -> String {
        let text = request.headers[.ifMatch] ?? ""
        guard text.utf8.count >= 3, text.hasPrefix("\""), text.hasSuffix("\"") else {
            throw StoreFailure(.invalid, "Send If-Match with the ETag of the values that you change, such as \"3\".")
        }
        return String(text.dropFirst().dropLast())
    }

    /// The number of `If-Match`.
    ///
    /// - Throws: `StoreFailure` `invalid`.
    static func version(of request: Request) throws -> Int64 {
        let tag = try tag(of: request)
        guard let version = Int64(tag), version >= 0 else {
            throw StoreFailure(.invalid, "If-Match isn't an ETag of these values.")
        }
        return version
    }

    static let done = Response(status: .noContent, headers: [.cacheControl: "no-store"])
}
