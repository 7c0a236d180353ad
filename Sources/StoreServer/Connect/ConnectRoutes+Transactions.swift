// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages of transactions.
extension ConnectRoutes {
    func addTransactions(to router: StoreRouter) {
        addWithoutForms("transactions", to: router) { _ in TransactionsPage() }
        add("transactions/:transaction", to: router) {
            TransactionPage(transaction: TransactionIdentifier(try $0.part("transaction")))
        }
    }
}
