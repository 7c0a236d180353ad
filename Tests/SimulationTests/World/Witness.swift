// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent
import StoreCore
import StoreDomain

/// Records the updates that apps receive and the calls that they make, and
/// reports each violation when it happens.
final class Witness {
    /// A payment, and the state that its app has received.
    struct Payment {
        var place: Place
        var payment: AgentPayment
        /// When it was added; 0 if its process ended before the call had
        /// returned.
        var added: Int64
        /// The last state that was delivered.
        var state: AgentTransaction.State?
        var isWithdrawn = false
    }

    /// A purchase that an app has finished, with the event positions of its
    /// device when the app received it and before it was finished.
    struct Finish {
        var transaction: String
        var place: Place
        var told: EventPosition
        var finished: EventPosition
    }

    private(set) var violations: [String] = []
    private(set) var payments: [String: Payment] = [:]
    /// The transaction identifiers that were delivered as purchased.
    private(set) var purchased: [Place: Set<String>] = [:]
    /// The original's transaction identifier of each restored transaction.
    private(set) var restored: [String: String] = [:]
    /// The products that were revoked from apps.
    private(set) var revoked: [Place: Set<String>] = [:]
    /// The prices that pages have shown for a request. A price may be
    /// recorded before the payment is.
    private(set) var prices: [String: [Money]] = [:]
    private(set) var finishes: [Finish] = []
    /// The places at which a process has ended while it added a payment.
    private(set) var additionsBrokenOff: Set<Place> = []
    private(set) var openRestores: [ObjectIdentifier: Int] = [:]
    private(set) lazy var receipts = ReceiptWitness { [unowned self] in complain($0) }
    private(set) lazy var keyValues = KeyValueWitness { [unowned self] in complain($0) }
    /// The transactions that were delivered to each process in a final state.
    private var decided: [ObjectIdentifier: Set<String>] = [:]
    private var finished: [Place: Set<String>] = [:]
    /// The transactions that apps have finished by StoreKit 2.
    private var finishedByStoreKit2: [Place: Set<String>] = [:]
    private var showing: [Place: [String: SimulatedApp]] = [:]
    private let note: (String) -> Void

    init(note: @escaping (String) -> Void) {
        self.note = note
    }

    func complain(_ sentence: String) {
        note("MUST NEVER HAPPEN: \(sentence)")
        violations.append(sentence)
    }

    // MARK: Calls of apps

    func added(_ transaction: AgentTransaction, at place: Place, now: Int64) {
        if payments[transaction.id] == nil {
            payments[transaction.id] = Payment(place: place, payment: transaction.payment, added: now)
        }
    }

    /// Records a payment that an app is about to add by StoreKit 2.
    func added(_ request: String, _ payment: AgentPayment, at place: Place, now: Int64) {
        if payments[request] == nil { payments[request] = Payment(place: place, payment: payment, added: now) }
    }

    /// Records the state of a payment that a purchase of StoreKit 2 has
    /// returned.
    func decided(_ request: String, _ state: AgentTransaction.State) {
        let old = payments[request]?.state
        if state == .failed, old == .purchased { complain("\(request) was purchased and is failed now") }
        if old != .purchased, old != .failed { payments[request]?.state = state }
    }

    /// Records a purchase that StoreKit 2 has given to an app.
    func bought(_ transaction: String, at place: Place) {
        purchased[place, default: []].insert(transaction)
    }

    /// Records a finish by StoreKit 2. After one of a purchase whose refund was
    /// taken back, as the device knew, nothing delivers it again.
    func finished(_ transaction: String, at place: Place, knowingReversal: Bool) {
        if knowingReversal {
            finished[place, default: []].insert(transaction)
        } else {
            finishedByStoreKit2[place, default: []].insert(transaction)
        }
    }

    /// Called when a process has ended while it added a payment. The payment
    /// may be in the journal, and its purchase may be handed over or refunded
    /// before any app has received it.
    func brokenOff(at place: Place) {
        additionsBrokenOff.insert(place)
    }

    func withdrew(_ transaction: AgentTransaction.ID) {
        payments[transaction]?.isWithdrawn = true
    }

    /// Called when a page has shown the price of a payment.
    func showed(_ price: Money, for request: String) {
        prices[request, default: []].append(price)
    }

    func finished(_ transaction: AgentTransaction, at place: Place) {
        finished[place, default: []].formUnion([
            transaction.id, transaction.transactionIdentifier ?? transaction.id,
        ])
        showing[place]?[transaction.id] = nil
    }

    func finished(_ finish: Finish) {
        finishes.append(finish)
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

    // MARK: Updates of apps

    func told(_ transaction: AgentTransaction, to app: SimulatedApp) {
        let place = app.place
        // A change of a subscription's plan delivers the running period again, as the request that has changed it.
        let isPlanChange = transaction.isOfSubscription && transaction.id != transaction.transactionIdentifier
        let names = [transaction.id] + (isPlanChange ? [] : [transaction.transactionIdentifier ?? transaction.id])
        // A purchase whose refund is taken back may be delivered again where the app has finished it as an update.
        func isFinished(_ name: String) -> Bool {
            if finished[place]?.contains(name) == true { return true }
            guard finishedByStoreKit2[place]?.contains(name) == true else { return false }
            return app.transactions?.witness?.isReinstated(name) != true
        }
        if names.contains(where: isFinished) {
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

    /// Checks that a final state stays final. A process may receive the first
    /// state of its own payment when other processes have received the final
    /// one already.
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

    /// Checks that a payment fails only with an error that fits its
    /// situation.
    private func checkFailure(of transaction: AgentTransaction, told app: SimulatedApp) {
        guard let code = transaction.failure?.code, let payment = payments[transaction.id] else {
            return complain("\(transaction.id) failed without a reason")
        }
        let isRight =
            switch code {
            case .clientInvalid: app.device.world.hasBarred
            case .paymentInvalid: payment.isInvalid
            case .paymentNotAllowed: app.device.wasRestricted(since: payment.added)
            case .storeProductNotAvailable: payment.isWithdrawn || app.device.world.hasLimited
            case .ineligibleForOffer, .invalidOfferPrice: payment.payment.discount != nil
            case .invalidSignature: payment.isSignedLongAgo(at: app.device.world.scheduler.now)
            default: code == .unknown || code == .paymentCancelled
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
    /// Whether the store must refuse the payment: no such product, or too
    /// many.
    var isInvalid: Bool { payment.productIdentifier == "nothing" || payment.quantity > 10 }

    /// Whether the signature of its offer is too old: it is valid for a day.
    func isSignedLongAgo(at now: Int64) -> Bool {
        payment.discount.map { now - $0.timestamp > 86_400_000 - 10_000 } ?? false
    }
}

extension AgentTransaction {
    fileprivate var isOfSubscription: Bool {
        (Template.baskets + Template.papers).contains(payment.productIdentifier)
    }
}
