// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Buying {
    /// Answers the other requests of an account for a product that it has just bought, while they wait for an
    /// approval: there is nothing left to approve.
    ///
    /// The purchase is that of another request, in the same transaction. An approval or a refusal of one of these
    /// requests at the same time moves it first, or finds it answered.
    static func settleRequests(for purchase: Purchase, of product: Product, _ db: StoreTransaction) throws {
        guard purchase.completesReservation || product.plan != nil else { return }
        let others = try DeviceRequest.deferred(of: purchase.account, for: product, db)
        guard !others.isEmpty, let account = try Account.findOpen(purchase.account, db) else { return }
        for var other in others {
            let ownership = try Ownership(of: product, by: account, other.discount, other.code, db)
            guard let number = other.transactionIdentifier,
                let decision = try PurchaseDecision.settling(other, product, for: account, ownership),
                try other.move(from: .deferred, to: .processing, db)
            else { continue }
            // A device that was away gets the time of a lost one to fetch the purchase.
            try Device.noteCall(of: other.device, db)
            // Nothing is paid: the number is that of the entry in the ledger.
            let attempt = Attempt(number: PaymentIdentifier(number.rawValue), identifier: number)
            _ = try save(decision, &other, attempt, db)
        }
    }
}
