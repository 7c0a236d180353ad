// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent
import StoreDomain

/// Sees everything that apps are told and do, and says at once what must
/// never have happened.
final class Witness {
    /// A payment as its app knows it.
    struct Payment {
        var place: Place
        var payment: AgentPayment
        /// When it was added; 0 when its process didn't live to say so.
        var added: Int64
        /// The last state that was told.
        var state: AgentTransaction.State?
        var isWithdrawn = false
    }

    private(set) var violations: [String] = []
    private(set) var payments: [String: Payment] = [:]
    /// The store's numbers of what was told as purchased.
    private(set) var purchased: [Place: Set<String>] = [:]
    /// What was told as restored: the original's number by the new one.
    private(set) var restored: [String: String] = [:]
    /// What apps were told to have lost.
    private(set) var revoked: [Place: Set<String>] = [:]
    /// What pages have shown of requests; of some before their app's process
    /// has said that it has made them.
    private(set) var prices: [String: [Money]] = [:]
    private(set) var openRestores: [ObjectIdentifier: Int] = [:]
    private(set) lazy var receipts = ReceiptWitness { [unowned self] in complain($0) }
    private(set) lazy var keyValues = KeyValueWitness { [unowned self] in complain($0) }
    /// What was told as decided to each process.
    private var decided: [ObjectIdentifier: Set<String>] = [:]
    private var finished: [Place: Set<String>] = [:]
    private var showing: [Place: [String: SimulatedApp]] = [:]
    private let note: (String) -> Void

    init(note: @escaping (String) -> Void) {
        self.note = note
    }

    func complain(_ sentence: String) {
        note("MUST NEVER HAPPEN: \(sentence)")
        violations.append(sentence)
    }

    // MARK: What apps do

    func added(_ transaction: AgentTransaction, at place: Place, now: Int64) {
        if payments[transaction.id] == nil {
            payments[transaction.id] = Payment(place: place, payment: transaction.payment, added: now)
        }
    }

    func withdrew(_ transaction: AgentTransaction) {
        payments[transaction.id]?.isWithdrawn = true
    }

    /// A page has shown what a payment costs.
    func showed(_ price: Money, for request: String) {
        prices[request, default: []].append(price)
    }

    func finished(_ transaction: AgentTransaction, at place: Place) {
        finished[place, default: []].formUnion([
            transaction.id, transaction.transactionIdentifier ?? transaction.id,
        ])
        showing[place]?[transaction.id] = nil
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
        showing[app.place] = showing[app.place]?.filter { $0.value !== app }
    }

    // MARK: What apps are told

    func told(_ transaction: AgentTransaction, to app: SimulatedApp) {
        let place = app.place
        let names = [transaction.id, transaction.transactionIdentifier ?? transaction.id]
        if names.contains(where: { finished[place]?.contains($0) ?? false }) {
            complain("\(transaction.id) was finished by \(place) and is \(transaction.state) again")
        }
        if let other = showing[place]?[transaction.id], other !== app, other.life.isAlive {
            complain("\(transaction.id) is shown by \(other.life.name) and by \(app.life.name)")
        }
        showing[place, default: [:]][transaction.id] = app
        note(state: transaction, to: app)
        switch transaction.state {
        case .purchased:
            purchased[place, default: []].insert(transaction.transactionIdentifier ?? "nothing")
            receipts.told(
                transaction.transactionIdentifier ?? "nothing", at: place, with: app.device.receipt(of: app.bundle))
        case .restored:
            let original = transaction.original?.transactionIdentifier ?? "nothing"
            restored[transaction.transactionIdentifier ?? "nothing"] = original
            receipts.told(original, at: place, with: app.device.receipt(of: app.bundle))
        case .failed:
            checkFailure(of: transaction, told: app)
        case .purchasing, .deferred:
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
        added(transaction, at: app.place, now: 0)
        let isStep = transaction.isDecided || old == nil || old == .purchasing || old == .deferred
        if isStep { payments[transaction.id]?.state = transaction.state }
    }

    /// Each error has its situation.
    private func checkFailure(of transaction: AgentTransaction, told app: SimulatedApp) {
        guard let code = transaction.failure?.code, let payment = payments[transaction.id] else {
            return complain("\(transaction.id) failed without a reason")
        }
        let isRight =
            switch code {
            case PaymentFailure.clientInvalid: app.device.world.hasBarred
            case PaymentFailure.paymentInvalid: payment.isInvalid
            case PaymentFailure.paymentNotAllowed: app.device.wasRestricted(since: payment.added)
            case PaymentFailure.storeProductNotAvailable: payment.isWithdrawn || app.device.world.hasLimited
            default: code == PaymentFailure.unknown || code == PaymentFailure.paymentCancelled
            }
        if !isRight { complain("\(transaction.id) of \(payment.payment.productIdentifier) failed with code \(code)") }
    }

    func removed(_ transaction: AgentTransaction, from app: SimulatedApp) {
        showing[app.place]?[transaction.id] = nil
    }

    func revoked(_ products: [String], at place: Place) {
        revoked[place, default: []].formUnion(products)
    }
}

extension Witness.Payment {
    /// Whether nobody sells this.
    var isInvalid: Bool { payment.productIdentifier == "nothing" || payment.quantity > 10 }
}
