// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// A payment provider that declines payments, answers late, twice and out of
/// order, and executes calls without answering. Its own books are never lost.
///
/// Each process of the store calls it through a ``SimulatedProviderClient``.
final class SimulatedProvider: @unchecked Sendable {  // because only the scheduler's thread touches it
    enum Status { case pending, authorised, declined, captured, voided, refunded }

    struct Entry {
        var amount: Money
        var status: Status
        /// Whether the first answer was that the payment is pending.
        var wasPending = false
        /// When the store stops waiting for the answer to a pending payment.
        var expires = WallTime(milliseconds: 0)
        /// Whether the store has ended the payment: it isn't authorised
        /// afterwards.
        var isEnded = false
        /// The amounts that were given back, by the refunds' identifiers; zero
        /// of a refund that was taken back.
        var refunds: [String: Int64] = [:]

        var refunded: Int64 { refunds.values.reduce(0, +) }
    }

    let scheduler: Scheduler
    let chance: Chance
    /// The state of every payment, by its number.
    private(set) var books: [String: Entry] = [:]
    /// The calls that a real provider would have refused, and those that two
    /// workers made at a time: each is a mistake of the store.
    private(set) var complaints: [String] = []
    /// Whether a repeated payment number is charged again.
    var forgets = false
    /// The rate of calls that fail, in thousandths.
    var trouble = 0
    /// The rate of declined payments, in thousandths.
    var declines = 0
    /// The rate of payments that are answered later, in thousandths.
    var lateness = 0
    /// The rate of authorised payments of which an event says that they were
    /// declined, in thousandths.
    var contradictions = 0
    /// Whether the store may have lost its leases, because it couldn't write.
    var leasesMayRunOut: () -> Bool = { false }
    /// Calls the store with an event, as a webhook does, until it is received.
    var push: (ProviderEvent, _ received: @escaping () -> Void) -> Void = { _, _ in }
    /// Writes into the run's trace.
    var note: (@autoclosure () -> String) -> Void = { _ in }
    /// The events that the store has to fetch.
    var outbox: [ProviderEvent] = []
    /// The number of later answers and events that aren't sent yet.
    var planned = 0
    /// The authorisations that are under way, by the payment's number.
    private var calls: [String: [Int: ProcessLife]] = [:]

    init(_ scheduler: Scheduler, _ chance: Chance) {
        self.scheduler = scheduler
        self.chance = chance
    }

    /// Whether every answer was given and every event was received.
    var isSettled: Bool { planned == 0 && outbox.isEmpty }

    /// Notes that a process begins to authorise a payment. The payment's lease
    /// keeps all other workers from doing so at the same time.
    ///
    /// - Returns: The call's name, for `ended`.
    func begins(_ number: PaymentIdentifier, _ life: ProcessLife) -> Int {
        let others = calls[number.rawValue, default: [:]].values.contains { $0.isAlive }
        if others, !leasesMayRunOut() { complaints.append("two workers have authorised \(number) at a time") }
        let name = scheduler.newName()
        calls[number.rawValue, default: [:]][name] = life
        return name
    }

    func ended(_ number: PaymentIdentifier, _ call: Int) {
        calls[number.rawValue]?[call] = nil
    }

    func authorise(_ number: PaymentIdentifier, amount: Money, method: String?) async throws -> Authorisation {
        let answer = try await call { self.set(number, amount) }
        // An event may overtake the answer, which is outdated then.
        if chance.happens(lateness / 3) {
            try await scheduler.sleep(milliseconds: Int64(chance.number(in: 1000..<12_000)))
        }
        return answer
    }

    private func set(_ number: PaymentIdentifier, _ amount: Money) -> Authorisation {
        if forgets, books[number.rawValue] != nil {
            books["\(number) again"] = Entry(amount: amount, status: .captured)
            return .authorised
        }
        if let known = books[number.rawValue] {
            if known.amount != amount { complaints.append("\(number) was authorised for another amount") }
            return known.answer
        }
        let outcome: Status = chance.happens(declines) ? .declined : .authorised
        let isLate = chance.happens(lateness)
        var entry = Entry(amount: amount, status: isLate ? .pending : outcome)
        if isLate {
            entry.wasPending = true
            entry.expires = WallTime(milliseconds: scheduler.now + Int64(chance.number(in: 15_000..<180_000)))
            planAnswer(outcome, to: number)
        } else if chance.happens(lateness) {
            report(outcome, of: number, isKnown: true)
        }
        books[number.rawValue] = entry
        note("\(number) of \(amount) is \(entry.status)")
        return entry.answer
    }

    /// Answers a pending payment, unless the store has ended it.
    ///
    /// - Returns: Whether it is answered.
    func answer(_ number: PaymentIdentifier, with outcome: Status) -> Bool {
        guard let entry = books[number.rawValue], entry.status == .pending, !entry.isEnded else { return false }
        books[number.rawValue]?.status = outcome
        return true
    }

    func lookUp(_ number: PaymentIdentifier) async throws -> Authorisation? {
        try await call { self.books[number.rawValue]?.answer }
    }

    func capture(_ number: PaymentIdentifier) async throws {
        try await call { self.move(number, to: .captured) }
    }

    func void(_ number: PaymentIdentifier) async throws {
        try await call { self.move(number, to: .voided) }
    }

    func refund(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await call { self.giveBack(refund, number, amount) }
    }

    func reverse(_ refund: RefundIdentifier, of number: PaymentIdentifier, amount: Money) async throws {
        try await call { self.takeBack(refund, number) }
    }

    private func takeBack(_ refund: RefundIdentifier, _ number: PaymentIdentifier) {
        guard books[number.rawValue]?.refunds[refund.rawValue] != nil else {
            return complaints.append("a refund of \(number) was taken back that wasn't made")
        }
        books[number.rawValue]?.refunds[refund.rawValue] = 0
        // A repeated call may arrive after another refund, which stays.
        guard let entry = books[number.rawValue], entry.status == .refunded, entry.refunded < entry.amount.milliunits
        else { return }
        books[number.rawValue]?.status = .captured
    }

    private func giveBack(_ refund: RefundIdentifier, _ number: PaymentIdentifier, _ amount: Money) {
        guard var entry = books[number.rawValue], [.authorised, .captured, .refunded].contains(entry.status) else {
            return complain(number, .refunded, books[number.rawValue]?.status)
        }
        if entry.refunds[refund.rawValue] != nil {
            if forgets { complaints.append("\(number) was refunded twice") }
            return
        }
        entry.refunds[refund.rawValue] = amount.milliunits
        if entry.refunded > entry.amount.milliunits { complaints.append("more was given back than \(number) is") }
        if entry.refunded == entry.amount.milliunits { entry.status = .refunded }
        books[number.rawValue] = entry
    }

    private func move(_ number: PaymentIdentifier, to status: Status) {
        note("\(number) is to be \(status)")
        switch books[number.rawValue]?.status {
        case .authorised: books[number.rawValue]?.status = status
        case .pending where status == .voided: books[number.rawValue]?.status = status
        case .declined where status == .voided: break
        case status: break
        // A capture that was sent before the refund may arrive after it.
        case .refunded where status == .captured: break
        case let other: complain(number, status, other)
        }
        if status == .voided { books[number.rawValue]?.isEnded = true }
    }

    private func complain(_ number: PaymentIdentifier, _ status: Status, _ old: Status?) {
        complaints.append("\(number) was to be \(status) when it was \(old.map { "\($0)" } ?? "unknown")")
    }

    /// Runs the body after a pause. A call that fails runs it immediately,
    /// later or never, and throws in each case.
    func call<T: Sendable>(_ body: @escaping () -> T) async throws -> T {
        try await scheduler.sleep(milliseconds: chance.pause(5..<100, long: 100..<8000, isLong: trouble / 2))
        guard chance.happens(trouble) else { return body() }
        switch chance.number(in: 0..<3) {
        case 0: break
        case 1: _ = body()
        default: scheduler.after(Int64(chance.number(in: 100..<40_000))) { _ = body() }
        }
        try await scheduler.sleep(milliseconds: 10_000)
        throw DomainError(.providerUnavailable, "The payment provider didn't answer.")
    }
}

extension SimulatedProvider.Entry {
    /// The answer to the store.
    var answer: Authorisation {
        switch status {
        case .pending: .pending(PendingAuthorisation(expires: expires))
        case .declined: .declined("The card was declined.")
        case .voided: .declined("The payment was cancelled.")
        case .authorised, .captured, .refunded: .authorised
        }
    }
}
