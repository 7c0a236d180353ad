// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import StoreAPI
import StoreDomain
import StoreService

/// The parts that all requests have.
extension ServerRoutes {
    /// Authenticates a request, and answers it for the app of its token.
    func respond(
        _ request: Request, _ context: StoreRequestContext, readsBody: Bool = false,
        _ body: (BundleIdentifier) async throws -> Response
    ) async throws -> Response {
        try await respondToCaller(request, context, readsBody: readsBody) { try await body($0.app) }
    }

    /// Authenticates a request, and answers it for the app of its token and the
    /// team of its key, in a place of the team. One that reads its body takes
    /// the place when that has arrived.
    func respondToCaller(
        _ request: Request, _ context: StoreRequestContext, readsBody: Bool = false,
        _ body: (ServerCaller) async throws -> Response
    ) async throws -> Response {
        var asking: BundleIdentifier?
        do {
            let caller = try await service.authenticateServer(authorization: request.headers[.authorization])
            asking = caller.app
            let now = service.clock.now()
            // The requests that an app's own rate refuses cost its team's other apps nothing.
            let seconds =
                limits.serverRequests.take(caller.app.rawValue, now: now)
                ?? limits.serverRequestsOfATeam.take(caller.team.rawValue, now: now)
            if let seconds { return rateLimited(seconds) }
            let place = TeamPlaces.Later(limits.serverPlaces, of: caller.team)
            defer { place.giveBack() }
            if !readsBody { try place.take() }
            return try await TeamPlaces.Later.$ofRequest.withValue(place) { try await body(caller) }
        } catch let failure as StoreFailure where failure.code == .throttled {
            return rateLimited(failure.retryAfter ?? 1)
        } catch let refusal as ServerToken.Refusal {
            report(refusal)
            return Response(status: .unauthorized, headers: [.cacheControl: "no-store"])
        } catch let error as ServerError {
            if let asking {
                let path = "\(request.method.rawValue) \(context.endpointPath ?? "?")"
                await service.report(.serverAPI(request: path, code: error.code, message: error.message), of: asking)
            }
            return Self.failure(error)
        } catch {
            return Self.failure(Self.serverError(of: service.failure(of: error, at: context.endpointPath ?? "?")))
        }
    }

    /// Reads the body of a request, and takes its place.
    func body(of request: Request, _ context: StoreRequestContext) async throws -> ServerBody {
        try await limits.bodies.withBody(of: request, from: context.clientAddress, upTo: ServerBody.limit) { body in
            try TeamPlaces.Later.ofRequest?.take()
            return try ServerBody(body)
        }
    }

    /// The transaction in the path of a request.
    static func transaction(
        _ context: StoreRequestContext, or error: ServerError = .invalidTransaction
    ) throws -> TransactionIdentifier {
        let text = try context.parameters.require("transaction")
        guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw error
        }
        return TransactionIdentifier(text)
    }

    private static func failure(_ error: ServerError) -> Response {
        .json(
            ServerAnswers.Failure(errorCode: error.code, errorMessage: error.message),
            status: HTTPResponse.Status(code: error.code / 10_000))
    }

    /// The error of Apple's for one of the store: a repetition helps when the
    /// status is 503 elsewhere, and a body that is too large or breaks off is a
    /// bad request.
    private static func serverError(of failure: StoreFailure) -> ServerError {
        switch failure.code {
        case .unavailable: .internalErrorRetryable
        case .invalid, .malformed, .tooLarge, .tooSlow: .badRequest
        default: .internalError
        }
    }

    /// `Retry-After` is a moment in milliseconds since 1970, as Apple's is.
    private func rateLimited(_ seconds: Int) -> Response {
        var response = Self.failure(.rateLimitExceeded)
        response.headers[.retryAfter] = String(service.clock.now().milliseconds + Int64(seconds) * 1000)
        return response
    }

    /// Writes into the log why a token was refused. The number of lines is
    /// limited, because anyone may send tokens.
    private func report(_ refusal: ServerToken.Refusal) {
        guard limits.reportedRefusals.take("token", now: service.clock.now()) == nil else { return }
        service.logger.notice("The App Store Server API refused a token", metadata: ["reason": "\(refusal)"])
    }
}
