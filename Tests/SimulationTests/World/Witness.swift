// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreAgent

/// Sees everything that apps are told and do, and says at once what must
/// never have happened.
final class Witness {
    /// A payment as its app knows it.
    struct Payment {
        var device: String
        var product: String
        /// The last state that was told.
        var state: AgentTransaction.State?
    }

    /// A receipt as the store gave it out.
    private struct Issued {
        var position: EventPosition?
        var transactions: Set<String>
    }

    private(set) var violations: [String] = []
    private(set) var payments: [String: Payment] = [:]
    /// The store's numbers of what was told as purchased, by device.
    private(set) var purchased: [String: Set<String>] = [:]
    /// What was told as restored: the original's number by the new one.
    private(set) var restored: [String: String] = [:]
    /// What was told when the receipt didn't hold it: it must have been refunded.
    private(set) var unreceipted: [String] = []
    private(set) var openRestores: [ObjectIdentifier: Int] = [:]
    /// What was told as decided to each process, and not taken back since.
    private var decided: [ObjectIdentifier: Set<String>] = [:]
    private var finished: [String: Set<String>] = [:]
    private var showing: [String: [String: SimulatedApp]] = [:]
    private var issued: [Data: Issued] = [:]
    /// How new a receipt was on disk when a transaction of its was told.
    private var toldReceipts: [String: EventPosition] = [:]
    private let note: (String) -> Void

    init(note: @escaping (String) -> Void) {
        self.note = note
    }

    func complain(_ sentence: String) {
        note("MUST NEVER HAPPEN: \(sentence)")
        violations.append(sentence)
    }

    // MARK: What apps do

    func added(_ transaction: AgentTransaction, on device: SimulatedDevice) {
        if payments[transaction.id] == nil {
            payments[transaction.id] = Payment(device: device.name, product: transaction.payment.productIdentifier)
        }
    }

    func finished(_ transaction: AgentTransaction, on device: SimulatedDevice) {
        finished[device.name, default: []].formUnion([
            transaction.id, transaction.transactionIdentifier ?? transaction.id,
        ])
        showing[device.name]?[transaction.id] = nil
    }

    func restores(_ app: SimulatedApp) {
        openRestores[ObjectIdentifier(app), default: 0] += 1
    }

    func restoreEnded(_ app: SimulatedApp) {
        openRestores[ObjectIdentifier(app), default: 0] -= 1
    }

    func stoppedObserving(_ app: SimulatedApp) {
        decided[ObjectIdentifier(app)] = nil
        forget(app)
    }

    func ended(_ app: SimulatedApp) {
        openRestores[ObjectIdentifier(app)] = nil
        decided[ObjectIdentifier(app)] = nil
        forget(app)
    }

    private func forget(_ app: SimulatedApp) {
        showing[app.device.name] = showing[app.device.name]?.filter { $0.value !== app }
    }

    // MARK: What apps are told

    func told(_ transaction: AgentTransaction, to app: SimulatedApp) {
        let device = app.device.name
        let names = [transaction.id, transaction.transactionIdentifier ?? transaction.id]
        if names.contains(where: { finished[device]?.contains($0) ?? false }) {
            complain("\(transaction.id) was finished on \(device) and is \(transaction.state) again")
        }
        if let other = showing[device]?[transaction.id], other !== app, other.life.isAlive {
            complain("\(transaction.id) is shown by \(other.life.name) and by \(app.life.name)")
        }
        showing[device, default: [:]][transaction.id] = app
        note(state: transaction, to: app)
        switch transaction.state {
        case .purchased:
            purchased[device, default: []].insert(transaction.transactionIdentifier ?? "nothing")
            checkReceipt(of: app.device, holds: transaction.transactionIdentifier ?? "nothing")
        case .restored:
            let original = transaction.original?.transactionIdentifier ?? "nothing"
            restored[transaction.transactionIdentifier ?? "nothing"] = original
            checkReceipt(of: app.device, holds: original)
        case .purchasing, .deferred, .failed:
            break
        }
    }

    /// What is decided stays so. A process that hears of its own payment for
    /// the first time is told how it began, though others know how it ended.
    private func note(state transaction: AgentTransaction, to app: SimulatedApp) {
        guard transaction.state != .restored else { return }
        let old = payments[transaction.id]?.state
        let isKnown = decided[ObjectIdentifier(app)]?.contains(transaction.id) ?? false
        switch (old, transaction.state) {
        case (.purchased, .failed), (.failed, .purchased):
            complain("\(transaction.id) was \(old.map { "\($0)" } ?? "") and is \(transaction.state) now")
        case (_, .purchasing) where isKnown, (_, .deferred) where isKnown:
            complain("\(transaction.id) was decided and is \(transaction.state) again for \(app.life.name)")
        default:
            break
        }
        if transaction.isDecided { decided[ObjectIdentifier(app), default: []].insert(transaction.id) }
        added(transaction, on: app.device)
        let isStep = transaction.isDecided || old == nil || old == .purchasing || old == .deferred
        if isStep { payments[transaction.id]?.state = transaction.state }
    }

    func removed(_ transaction: AgentTransaction, from app: SimulatedApp) {
        decided[ObjectIdentifier(app)]?.remove(transaction.id)
        showing[app.device.name]?[transaction.id] = nil
    }

    // MARK: Receipts

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

    private func checkReceipt(of device: SimulatedDevice, holds transaction: String) {
        guard let bytes = device.receipt, let receipt = issued[bytes] else {
            return complain("\(transaction) was told on \(device.name), whose receipt is missing or half written")
        }
        guard receipt.transactions.contains(transaction) else {
            return unreceipted.append(transaction)
        }
        toldReceipts[device.name] = receipt.position
    }

    /// Looks whether a crash has left a receipt that is whole, and no older
    /// than what was told.
    func lookAtReceipt(of device: SimulatedDevice) {
        guard let bytes = device.receipt else {
            if toldReceipts[device.name] != nil { complain("\(device.name) has lost its receipt") }
            return
        }
        guard let receipt = issued[bytes] else {
            return complain("the receipt on \(device.name) is half written")
        }
        guard let told = toldReceipts[device.name], let position = receipt.position else { return }
        if told.account == position.account, position.number < told.number {
            complain("the receipt on \(device.name) is \(position.number), older than \(told.number), which was told")
        }
    }
}
