// SPDX-License-Identifier: Apache-2.0

/// Checks of the transactions that purchases of StoreKit 2 have returned.
extension Audit {
    /// Whether a payment of StoreKit 1 was purchased, and the app has received
    /// and finished its transaction by StoreKit 2.
    func isGivenByStoreKit2(_ request: String, _ payment: Witness.Payment) -> Bool {
        guard world.transactions != nil, let answer = books.answers[request] else { return false }
        return witness.purchased[payment.place]?.contains(answer) == true
    }

    /// A purchase returns its own transaction. Only a product that is owned
    /// once, or a subscription, may have one already.
    func purchasesReturnTheirOwn() {
        guard let transactions = world.transactions else { return }
        let charges = Dictionary(books.charges.map { ($0.transaction, $0) }, uniquingKeysWith: { $1 })
        for returned in transactions.returned {
            guard let charge = charges[returned.transaction], charge.bundle == returned.place.bundle else {
                witness.complain("\(returned.request) returned \(returned.transaction), which was never charged")
                continue
            }
            if charge.isConsumable, charge.request != returned.request {
                witness.complain("\(returned.request) returned \(returned.transaction) of \(charge.request)")
            }
        }
        let isSignedIn = world.devices.contains { books.accounts[$0.identifier ?? ""] != nil }
        if isSignedIn, transactions.comparisons == 0 {
            witness.complain("no app has compared its transactions with the store's")
        }
    }
}
