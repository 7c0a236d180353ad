// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI

/// Records every receipt that leaves the store, and checks the receipts on
/// the devices' disks.
final class ReceiptWitness {
    /// A receipt that the store has issued.
    private struct Issued {
        var position: EventPosition?
        var transactions: Set<String>
    }

    /// Transactions that were delivered while the receipt didn't contain
    /// them: they must have been refunded.
    private(set) var unreceipted: [(transaction: String, where: String)] = []
    private var issued: [Data: Issued] = [:]
    /// The position of the receipt on disk at the last delivery of a
    /// transaction.
    private var told: [Place: EventPosition] = [:]
    /// The places whose receipt was removed by a person.
    private var removed: Set<Place> = []
    private let complain: (String) -> Void

    init(complain: @escaping (String) -> Void) {
        self.complain = complain
    }

    /// Records every receipt that leaves the store.
    func answered(_ message: StoreMessage, _ data: Data) {
        guard message.path == .receipt, let answer = try? StoreCoding.decode(ReceiptCall.Answer.self, from: data),
            let der = answer.receipt.flatMap({ Data(base64Encoded: $0) }),
            let receipt = try? UnverifiedAppReceipt(parsing: der)
        else { return }
        issued[der] = Issued(
            position: answer.position,
            transactions: Set(receipt.contents.inAppPurchases.map(\.transactionIdentifier)))
    }

    func told(_ transaction: String, at place: Place, with bytes: Data?) {
        guard let bytes, let receipt = issued[bytes] else {
            // After a removal there is no receipt until the app is launched again.
            if bytes == nil, removed.contains(place) { return }
            return complain("\(transaction) was delivered to \(place), whose receipt is missing or half written")
        }
        removed.remove(place)
        guard receipt.transactions.contains(transaction) else {
            let position = receipt.position.map { "\($0.number) of \($0.account.prefix(6))" } ?? "nowhere"
            return unreceipted.append((transaction, "\(place), at \(position)"))
        }
        told[place] = receipt.position
    }

    func removed(at place: Place) {
        removed.insert(place)
        told[place] = nil
    }

    /// Called when an app's receipt refresh has succeeded.
    func refreshed(at place: Place, to bytes: Data?) {
        if bytes.flatMap({ issued[$0] }) == nil { complain("\(place) has refreshed its receipt, and has none") }
    }

    /// Checks after a crash that the receipt on disk is complete, and no
    /// older than the one at the last delivery.
    func look(at bytes: Data?, of place: Place) {
        guard let bytes else {
            if told[place] != nil { complain("\(place) has lost its receipt") }
            return
        }
        guard let receipt = issued[bytes] else {
            return complain("the receipt of \(place) is half written")
        }
        guard let told = told[place], let position = receipt.position else { return }
        if told.account == position.account, position.number < told.number {
            complain("the receipt of \(place) is \(position.number), older than \(told.number), which was delivered")
        }
    }

    /// Checks, when no work is left, that the receipt on disk has all periods
    /// of the account's subscriptions.
    func holds(_ periods: Set<String>, at place: Place, _ bytes: Data?) {
        guard let bytes, let receipt = issued[bytes] else { return }
        for period in periods.subtracting(receipt.transactions).sorted() {
            complain("the receipt of \(place) lacks the period \(period)")
        }
    }

    /// Checks, when no work is left, that the receipt on disk is as new as
    /// the journal records.
    func settled(_ bytes: Data?, of place: Place, journalled: EventPosition?) {
        guard let journalled else { return }
        guard let bytes, let receipt = issued[bytes], let position = receipt.position else {
            return complain("\(place) has no receipt, and nothing more happens")
        }
        if position.account != journalled.account || position.number < journalled.number {
            complain("\(place) has another receipt than it has written down")
        }
    }
}
