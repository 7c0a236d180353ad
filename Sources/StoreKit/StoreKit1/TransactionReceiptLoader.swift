// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import Synchronization

/// The receipt of one transaction, read from the agent at its first use: most
/// apps do not use it.
final class TransactionReceiptLoader: Sendable {
    private weak let agent: Agent?
    private let transaction: String
    private let found = Mutex<Data?>(nil)

    init(of transaction: String, in agent: Agent) {
        self.agent = agent
        self.transaction = transaction
    }

    /// `nil` when the agent has deleted the transaction before the first use.
    var data: Data? {
        found.withLock { found in
            if found == nil { found = agent?.transactionReceipt(transaction) }
            return found
        }
    }
}
