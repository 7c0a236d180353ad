// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

@testable import StoreAgent
@testable import StoreKit

/// Records the transactions that StoreKit 2 gives to apps, and checks each of
/// them when an app receives it.
final class TransactionWitness {
    /// A transaction that `purchase` has returned.
    struct Returned {
        var request: String
        var transaction: String
        var place: Place
        /// The account of the purchase.
        var account: String?
        var at: Int64

        func isOf(_ transaction: String, _ place: Place) -> Bool {
            self.transaction == transaction && self.place == place
        }
    }

    private unowned let world: World
    private(set) var returned: [Returned] = []
    /// When each transaction was finished, by either API.
    private var finished: [Place: [String: Int64]] = [:]
    /// The process that shows each unfinished transaction.
    private var showing: [Place: [String: SimulatedTransactions]] = [:]
    /// The process of the purchase that has returned an unfinished transaction.
    private var returning: [Place: [String: SimulatedTransactions]] = [:]
    /// When each app last asked for events without a position, because its
    /// device had no customer, or another one.
    private var begun: [Place: Int64] = [:]
    /// When each app last asked for events after a position, by its account.
    private var asked: [Place: [String: Int64]] = [:]
    /// When a customer last signed out of each device.
    private var signOuts: [String: Int64] = [:]
    /// When each process first gave an update to a listener.
    private var heard: [Place: [SimulatedListener.Received: [String: Int64]]] = [:]
    /// The number of comparisons with the books that were made.
    private(set) var comparisons = 0

    init(_ world: World) {
        self.world = world
    }

    func complain(_ sentence: String) { world.witness.complain(sentence) }

    func compared() { comparisons += 1 }

    /// Whether the app has finished a transaction before a moment.
    func isFinished(_ transaction: String, at place: Place, before moment: Int64 = .max) -> Bool {
        finished[place]?[transaction].map { $0 < moment } ?? false
    }

    // MARK: Deliveries

    /// Checks that every listener of a process receives each update, once, and
    /// none that the app has finished.
    func updated(
        _ update: VerificationResult<Transaction>, _ new: SimulatedListener.Received, to listener: SimulatedListener,
        of process: SimulatedTransactions
    ) {
        isVerified(update, listener.name)
        let (place, now) = (process.place, world.scheduler.now)
        let entry = process.entry(of: new.transaction)
        if !new.isRevoked {
            world.witness.bought(new.transaction, at: place)
            // A slow listener takes changes in batches.
            let isLate = listener.isSlow && entry?.phase != .ready
            if isFinished(new.transaction, at: place, before: now), !isLate, !(entry?.changesPlan ?? false),
                !isChanged(new.transaction)
            {
                complain("\(new.transaction) was finished by \(place) and is an update for \(listener.name)")
            }
        }
        if entry?.phase == .ready, !new.isRevoked { isShown(new.transaction, by: process) }
        if heard[place]?[new]?[process.life.name] == nil {
            heard[place, default: [:]][new, default: [:]][process.life.name] = now
        }
        for other in process.listeners where other !== listener && other.began < now && !other.isSlow {
            // The app knew it from another process when this listener began.
            let others = heard[place]?[new]?.filter { $0.key != process.life.name }.values
            if let others, others.contains(where: { $0 < other.began }) { continue }
            world.scheduler.after(1) { [weak self, weak process] in
                guard let self, let process, process.life.isAlive, other.isListening else { return }
                guard !other.received.contains(new) else { return }
                if entry != nil, !new.isRevoked, !process.isInQueue(new.transaction) { return }
                complain("\(new.transaction) is an update for \(listener.name) and not for \(other.name)")
            }
        }
    }

    /// Whether a refund of the transaction was taken back, or its subscription
    /// was extended, so that it is an update also after the finish.
    private func isChanged(_ transaction: String) -> Bool {
        guard let books = try? Books(world) else { return true }
        if books.reinstated.contains(transaction) { return true }
        let original = books.charges.first { $0.transaction == transaction }?.original
        return books.subscriptions.contains { subscription in
            subscription.original == original && subscription.events.contains { $0.kind == "extended" }
        }
    }

    /// Whether a refund of the transaction was taken back.
    func isReinstated(_ transaction: String) -> Bool {
        (try? Books(world))?.reinstated.contains(transaction) == true
    }

    /// Checks that a listener receives no transaction of a customer who had
    /// signed out before the call for it began.
    func isOfCustomer(
        _ update: VerificationResult<Transaction>, _ customer: String?, _ listener: String,
        _ process: SimulatedTransactions
    ) {
        let number = update.unsafePayloadValue.number
        guard let customer, process.customer == customer, !process.hasTransaction(number) else { return }
        complain("\(number) is an update for \(listener), and not of the customer")
    }

    /// Checks that one process at a time shows an unfinished transaction.
    private func isShown(_ transaction: String, by process: SimulatedTransactions) {
        let place = process.place
        if let other = showing[place]?[transaction], other !== process, other.life.isAlive, !other.listeners.isEmpty,
            !isFinished(transaction, at: place)
        {
            complain("\(transaction) is shown by \(other.life.name) and by \(process.life.name)")
        }
        showing[place, default: [:]][transaction] = process
        isReturned(transaction, to: process)
    }

    /// Checks that a transaction that a purchase has returned is no update, in
    /// the same process or in another one, for as long as the process lives.
    private func isReturned(_ transaction: String, to process: SimulatedTransactions) {
        let place = process.place
        guard let buyer = returning[place]?[transaction], buyer.life.isAlive, !isFinished(transaction, at: place) else {
            return
        }
        // It has left the queue, and is there again: as the payment that has changed the plan, after a sign-in, or on
        // another device.
        if process.entry(of: transaction)?.changesPlan == true { return }
        if let last = returned.last(where: { $0.isOf(transaction, place) }) {
            let others = last.account.flatMap { account in asked[place]?.filter { $0.key != account }.values.max() }
            let signIn = [begun[place], signOuts[place.device], others].compactMap(\.self).max()
            if let signIn, signIn >= last.at { return }
        }
        let books = try? Books(world)
        if books?.reinstated.contains(transaction) == true || books?.handedOver.contains(transaction) == true { return }
        complain("\(transaction) was returned to \(buyer.life.name) and is an update for \(process.life.name)")
    }

    /// Called when a device asks for events.
    func asks(_ call: EventsCall, _ device: SimulatedDevice) {
        for app in call.apps {
            let place = device.place(of: app.bundleIdentifier)
            if let account = app.position?.account {
                asked[place, default: [:]][account] = world.scheduler.now
            } else {
                begun[place] = world.scheduler.now
            }
        }
    }

    /// Called when a customer signs out of a device.
    func signsOut(of device: SimulatedDevice) { signOuts[device.name] = world.scheduler.now }

    /// Called when a process has ended, or listens no more.
    func forget(_ process: SimulatedTransactions) {
        showing[process.place] = showing[process.place]?.filter { $0.value !== process }
    }

    /// Checks a transaction that a purchase has returned.
    func returned(
        _ result: VerificationResult<Transaction>, for request: String, to process: SimulatedTransactions
    ) {
        isVerified(result, process.life.name)
        let place = process.place
        let transaction = result.unsafePayloadValue
        returned.append(
            Returned(
                request: request, transaction: transaction.number, place: place,
                account: process.entry(of: transaction.number)?.position?.account, at: world.scheduler.now))
        if transaction.revocationDate == nil { world.witness.bought(transaction.number, at: place) }
        if process.entry(of: transaction.number)?.identifier == request {
            returning[place, default: [:]][transaction.number] = process
        }
    }

    func isVerified(_ result: VerificationResult<Transaction>, _ listener: String) {
        guard case .unverified(let transaction, let error) = result else { return }
        complain("\(listener) gets \(transaction.number), which isn't verified: \(error)")
    }

    // MARK: Finishes

    /// Checks that a finish by StoreKit 2 removes the transaction from the
    /// payment queue.
    func finished(_ transaction: String, by process: SimulatedTransactions) {
        let place = process.place
        guard !process.agent.delivery.isFinished(process.entry(of: transaction)?.identifier ?? transaction) else {
            return world.note("the finish of \(transaction.suffix(6)) isn't saved")
        }
        note(finish: transaction, at: place)
        let row = try? process.agent.journal.database.readAndWait { try SignedRow.load($0, transaction) }
        world.witness.finished(
            transaction, at: place,
            knowingReversal: row.map { $0.news > 0 && !$0.isRevoked && !$0.isPeriod } ?? false)
        let queue = (try? process.agent.transactions) ?? []
        if queue.contains(where: { $0.transactionIdentifier == transaction && $0.state == .purchased }) {
            complain("\(transaction) was finished by StoreKit 2, and is in the payment queue of \(process.life.name)")
        }
    }

    /// Records a finish by StoreKit 1, and checks that StoreKit 2 has it too.
    func finishedInQueue(_ transaction: String, by process: SimulatedTransactions?, at place: Place) {
        note(finish: transaction, at: place)
        process?.readUnfinished()
    }

    private func note(finish transaction: String, at place: Place) {
        if finished[place]?[transaction] == nil { finished[place, default: [:]][transaction] = world.scheduler.now }
    }
}

extension SimulatedTransactions {
    /// The journal's entry of a transaction.
    func entry(of transaction: String) -> JournalEntry? {
        try? agent.journal.database.readAndWait { try JournalEntry.load($0, transaction: transaction) }
    }

    /// The customer who is signed in, and whose transactions are complete;
    /// `nil` without one.
    var customer: String? {
        try? agent.journal.database.readAndWait { connection in
            let customer = try Journal.signedAccount(connection)
            return try SignedState.load(connection).position?.account == customer ? customer : nil
        }
    }

    /// Whether the journal has a signed transaction.
    func hasTransaction(_ number: String) -> Bool {
        (try? agent.journal.database.readAndWait { try SignedRow.load($0, number) != nil }) ?? true
    }

    /// Whether a listener may still receive a transaction of the queue.
    func isInQueue(_ transaction: String) -> Bool {
        witness?.isFinished(transaction, at: place) != true && entry(of: transaction)?.phase == .ready
    }
}

extension JournalEntry {
    /// Whether the entry is a payment that has changed a subscription's plan:
    /// the queue then has the running period again, as that payment.
    var changesPlan: Bool { request != nil && (Template.baskets + Template.papers).contains(product) }

    private var product: String { payment.productIdentifier }
}
