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
        addTransactions(to: router)
        addHistories(to: router)
        addChanges(to: router)
        addNotifications(to: router)
    }

    private func addTransactions(to router: StoreRouter) {
        router.get("/inApps/v1/transactions/:transaction") { request, context in
            try await respond(request, context) { app in
                .json(try await service.transactionInfo(try Self.transaction(context), of: app))
            }
        }
        router.get("/inApps/v1/transactions/appTransactions/:transaction") { request, context in
            try await respond(request, context) { app in
                .json(try await service.appTransactionInfo(try Self.transaction(context), of: app))
            }
        }
        router.get("/inApps/v1/lookup/:order") { request, context in
            try await respond(request, context) { app in
                .json(try await service.orderLookup(try context.parameters.require("order"), of: app))
            }
        }
        router.get("/inApps/v1/subscriptions/:transaction") { request, context in
            try await respond(request, context) { app in
                let transaction = try Self.transaction(context)
                let statuses = try Self.statuses(request.uri.queryParameters)
                return .json(try await service.subscriptionStatuses(transaction, of: app, statuses: statuses))
            }
        }
    }

    private func addHistories(to router: StoreRouter) {
        router.get("/inApps/v1/history/:transaction") { request, context in
            try await history(request, context, omitsFinishedConsumables: true)
        }
        router.get("/inApps/v2/history/:transaction") { request, context in
            try await history(request, context, omitsFinishedConsumables: false)
        }
        router.get("/inApps/v1/refund/lookup/:transaction") { request, context in
            try await respond(request, context) { app in
                let original = try Self.transaction(context, or: .invalidOriginalTransaction)
                return .json(try await service.refundLookup(original, of: app))
            }
        }
        router.get("/inApps/v2/refund/lookup/:transaction") { request, context in
            try await respond(request, context) { app in
                let transaction = try Self.transaction(context)
                let place = try HistoryQuery.revision(request.uri.queryParameters)
                return .json(try await service.refundHistory(transaction, of: app, after: place))
            }
        }
    }

    private func history(
        _ request: Request, _ context: StoreRequestContext, omitsFinishedConsumables: Bool
    ) async throws -> Response {
        try await respond(request, context) { app in
            let transaction = try Self.transaction(context)
            var query = try HistoryQuery(request.uri.queryParameters)
            query.filter.omitsFinishedConsumables = omitsFinishedConsumables
            return .json(
                try await service.transactionHistory(
                    transaction, of: app, query.filter, query.order, after: query.revision))
        }
    }

    /// The numbers of `status`, which may be repeated; empty for all.
    private static func statuses(_ query: Parameters) throws(ServerError) -> Set<Int> {
        let texts = query.getAll("status")
        let numbers = texts.compactMap { Int($0) }.filter { SubscriptionState.Status(rawValue: $0) != nil }
        guard numbers.count == texts.count else { throw .invalidStatus }
        return Set(numbers)
    }
}
