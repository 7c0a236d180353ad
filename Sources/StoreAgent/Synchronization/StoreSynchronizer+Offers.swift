// SPDX-License-Identifier: Apache-2.0

import StoreAPI

extension StoreSynchronizer {
    /// The downloads to start with the arrival of transactions: those of new
    /// ones if this is the daemon and no process of the app runs.
    func offers(of transactions: [TransactionInfo]) -> OfferStart {
        system.startsDownloads ? OfferStart(transactions, isAlive: isAlive) : .none
    }
}
