// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Logging
import StoreAPI
import StoreDomain
import StoreService

/// The App Store Server API (`/inApps`), for sellers' servers.
struct ServerRoutes {
    let service: StoreService
    let limits: RequestLimits

    func add(to router: StoreRouter) {
        router.get("/inApps/v1/transactions/:transaction") { request, context in
            try await answer(request, context) { app, transaction in
                try await service.transactionInfo(transaction, of: app)
            }
        }
        router.get("/inApps/v1/history/:transaction") { request, context in
            try await answer(request, context) { app, transaction in
                var query = try HistoryQuery(request.uri.queryParameters)
                query.filter.omitsFinishedConsumables = true
                return try await history(transaction, of: app, query)
            }
        }
        router.get("/inApps/v2/history/:transaction") { request, context in
            try await answer(request, context) { app, transaction in
                try await history(transaction, of: app, try HistoryQuery(request.uri.queryParameters))
            }
        }
        router.get("/inApps/v2/refund/lookup/:transaction") { request, context in
            try await answer(request, context) { app, transaction in
                let place = try HistoryQuery.revision(request.uri.queryParameters)
                return try await service.refundHistory(transaction, of: app, after: place)
            }
        }
        router.get("/inApps/v1/subscriptions/:transaction") { request, context in
            try await answer(request, context) { app, transaction in
                let statuses = try Self.statuses(request.uri.queryParameters)
                return try await service.subscriptionStatuses(transaction, of: app, statuses: statuses)
            }
        }
    }

    private func history(
        _ transaction: TransactionIdentifier, of app: BundleIdentifier, _ query: HistoryQuery
    ) async throws -> ServerAnswers.History {
        try await service.transactionHistory(
            transaction, of: app, query.filter, query.order, after: query.revision)
    }

    /// The numbers of `status`, which may be repeated; empty for all.
    private static func statuses(_ query: Parameters) throws(ServerError) -> Set<Int> {
        let texts = query.getAll("status")
        let numbers = texts.compactMap { Int($0) }.filter { SubscriptionState.Status(rawValue: $0) != nil }
        guard numbers.count == texts.count else { throw .invalidStatus }
        return Set(numbers)
    }

    /// Authenticates a request, and answers it about the transaction in its
    /// path.
    private func answer<Answer: Encodable>(
        _ request: Request, _ context: StoreRequestContext,
        _ body: (BundleIdentifier, TransactionIdentifier) async throws -> Answer
    ) async throws -> Response {
        do {
            let app = try await service.authenticateServer(authorization: request.headers[.authorization])
            if let seconds = limits.serverRequests.take(app.rawValue, now: service.clock.now()) {
                return rateLimited(seconds)
            }
            let transaction = try Self.transaction(try context.parameters.require("transaction"))
            return .json(try await body(app, transaction))
        } catch let refusal as ServerToken.Refusal {
            report(refusal)
            return Response(status: .unauthorized, headers: [.cacheControl: "no-store"])
        } catch let error as ServerError {
            return Self.failure(error)
        } catch {
            return failure(of: error, at: context.endpointPath ?? "?")
        }
    }

    private static func transaction(_ text: String) throws(ServerError) -> TransactionIdentifier {
        guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .invalidTransaction
        }
        return TransactionIdentifier(text)
    }

    private static func failure(_ error: ServerError) -> Response {
        .json(
            ServerAnswers.Failure(errorCode: error.code, errorMessage: error.message),
            status: HTTPResponse.Status(code: error.code / 10_000))
    }

    /// Answers an error of the store with Apple's bodies; a repetition helps
    /// when the status is 503 elsewhere.
    private func failure(of error: any Error, at place: String) -> Response {
        let failure = service.failure(of: error, at: place)
        return Self.failure(failure.code == .unavailable ? .internalErrorRetryable : .internalError)
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
