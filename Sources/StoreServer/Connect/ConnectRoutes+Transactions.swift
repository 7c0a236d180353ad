// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages of transactions.
extension ConnectRoutes {
    func addTransactions(to router: StoreRouter) {
        router.get("/connect/transactions") { request, _ in await show(TransactionsPage(), request) }
        router.onOtherMethods("/connect/transactions", allowed: .get)
        router.get("/connect/transactions/:transaction") { request, context in
            await show(try Self.transactionPage(context), request)
        }
        router.post("/connect/transactions/:transaction") { request, context in
            await answer(try Self.transactionPage(context), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/transactions/:transaction", allowed: .get, .post)
    }

    private static func transactionPage(_ context: StoreRequestContext) throws -> TransactionPage {
        TransactionPage(transaction: TransactionIdentifier(try context.part("transaction")))
    }
}
