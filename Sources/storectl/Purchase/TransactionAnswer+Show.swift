// SPDX-License-Identifier: Apache-2.0

import StoreService

extension Control.TransactionAnswer {
    /// Prints the state of a purchase, or of a request that may become one.
    func show(json: Bool) throws {
        if json { return try printJSON(self) }
        let count = quantity > 1 ? " × \(quantity)" : ""
        let reason = message.map { ": \($0)" } ?? ""
        print("\(transaction) \(product)\(count) \(status)\(reason)")
    }
}
