// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI

/// Sees every receipt that leaves the store, and looks which of them are on
/// the devices' disks.
final class ReceiptWitness {
    /// A receipt as the store gave it out.
    private struct Issued {
        var position: EventPosition?
        var transactions: Set<String>
    }

    /// What was told when the receipt didn't hold it: it must have been refunded.
    private(set) var unreceipted: [(transaction: String, where: String)] = []
    private var issued: [Data: Issued] = [:]
    /// How new a receipt was on disk when a transaction of its was told.
    private var told: [Place: EventPosition] = [:]
    /// Where somebody has removed a receipt.
    private var removed: Set<Place> = []
    private let complain: (String) -> Void

    init(complain: @escaping (String) -> Void) {
        self.complain = complain
    }

    /// Remembers every receipt that leaves the store.
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
            // Whoever removes it has none until the app is launched again.
            if bytes == nil, removed.contains(place) { return }
            return complain("\(transaction) was told to \(place), whose receipt is missing or half written")
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

    /// An app was told that its receipt is fresh.
    func refreshed(at place: Place, to bytes: Data?) {
        if bytes.flatMap({ issued[$0] }) == nil { complain("\(place) has refreshed its receipt, and has none") }
    }

    /// Looks whether a crash has left a receipt that is whole, and no older
    /// than what was told.
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
            complain("the receipt of \(place) is \(position.number), older than \(told.number), which was told")
        }
    }

    /// Looks whether there is what the journal says when nothing is left to do.
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
