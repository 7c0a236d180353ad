// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The purchases of the team's apps, their refunds and notifications.
extension ConnectAPI {
    func addTransactions(to router: StoreRouter) {
        router.get("/connect/v1/transactions") { request, context in
            await respond(request, context) { caller in try await Self.transactions(request.queryValues, caller) }
        }
        router.get("/connect/v1/transactions/:transaction") { request, context in
            await respond(request, context) { caller in
                try await Self.record(TransactionIdentifier(try context.part("transaction")), caller)
            }
        }
        router.put("/connect/v1/transactions/:transaction/refunds/:refund") { request, context in
            await respond(request, context) { caller in try await refund(request, context, caller) }
        }
        router.post("/connect/v1/transactions/:transaction/notifications/:notification/attempts") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                try await caller.service.resend(
                    try context.part("notification"), about: TransactionIdentifier(try context.part("transaction")),
                    by: caller.user)
                return Self.done
            }
        }
    }

    private static func transactions(_ query: [String: String], _ caller: ConnectCaller) async throws -> Response {
        let purchases = caller.service.teamPurchases
        let sort = try Self.sort(query, PurchaseSort.self)
        if let text = query["search"]?.nonEmpty {
            let found = try await purchases.search(text, by: sort, as: caller.user)
            return .json(ConnectAnswers.Transactions(transactions: found.map(ConnectAnswers.Transaction.init)))
        }
        let filter = TeamPurchaseFilter(query: query)
        if filter.state == nil, query["state"]?.nonEmpty != nil { throw InvalidFields(unknown: "state") }
        let place = query["before"]?.nonEmpty.flatMap(Purchase.Position.init(text:))
        if place == nil, query["before"]?.nonEmpty != nil {
            throw InvalidFields(problems: [FieldProblem(field: "before", kind: .malformed)])
        }
        let page = try await purchases(filter, by: sort, before: place, as: caller.user)
        return .json(
            ConnectAnswers.Transactions(
                transactions: page.entries.map(ConnectAnswers.Transaction.init), next: page.next?.text))
    }

    private static func record(
        _ transaction: TransactionIdentifier, _ caller: ConnectCaller
    ) async throws -> Response {
        let (record, signed) = try await caller.service.purchaseRecord(transaction, as: caller.user)
        return .json(
            ConnectAnswers.TransactionRecord(
                record, signed: signed, showsTester: caller.service.environment == .sandbox))
    }

    private func refund(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.refundPurchases)
        let transaction = TransactionIdentifier(try context.part("transaction"))
        let amount = try await read(request, context) { $0.text("amount") ?? "" }
        try await caller.service.refund(
            transaction, amount: amount, identifier: try context.part("refund"), by: caller.user)
        return try await Self.record(transaction, caller)
    }
}
