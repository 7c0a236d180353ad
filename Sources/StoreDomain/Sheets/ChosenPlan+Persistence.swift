// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ChosenPlan {
    /// Loads the choice that a request has made; `nil` when it has made none.
    static func made(by request: DeviceRequest, _ db: StoreTransaction) throws -> ChosenPlan? {
        guard request.status == .done, let account = request.account, let identifier = request.transactionIdentifier,
            let purchase = try Purchase.find(identifier, of: account, db)
        else { return nil }
        return ChosenPlan(of: request, answeredBy: purchase)
    }
}
