// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// A payment provider that declines payments, answers late, and executes
/// calls without answering. Its own books are never lost.
final class SimulatedProvider: PaymentProvider, @unchecked Sendable {
    // because only the scheduler's thread touches it
    enum Status { case authorised, declined, captured, voided, refunded }

    struct Entry {
        var amount: Money
        var status: Status
        /// The amounts that were given back, by the refunds' identifiers.
        var refunds: [String: Int64] = [:]

        var refunded: Int64 { refunds.values.reduce(0, +) }
    }

    private let scheduler: Scheduler
    private let chance: Chance
    /// The state of every payment, by its number.
    private(set) var books: [String: Entry] = [:]
    /// The calls that a real provider would have refused: each is a mistake
    /// of the store.
    private(set) var complaints: [String] = []
    /// Whether a repeated payment number is charged again.
    var forgets = false
    /// The rate of calls that fail, in thousandths.
    var trouble = 0
    /// The rate of declined payments, in thousandths.
    var declines = 0

    init(_ scheduler: Scheduler, _ chance: Chance) {
        self.scheduler = scheduler
        self.chance = chance
    }

    func authorise(_ number: PaymentIdentifier, amount: Money) async throws -> Authorisation {
        try await call { self.set(number, amount) }
    }

    private func set(_ number: PaymentIdentifier, _ amount: Money) -> Authorisation {
        if forgets, books[number.rawValue] != nil {
            books["\(number) again"] = Entry(amount: amount, status: .captured)
            return .authorised
        }
        if let known = books[number.rawValue] {
            if known.amount != amount { complaints.append("\(number) was authorised for another amount") }
            return known.status == .declined ? Self.declined : .authorised
        }
        let isDeclined = chance.happens(declines)
        books[number.rawValue] = Entry(amount: amount, status: isDeclined ? .declined : .authorised)
        return isDeclined ? Self.declined : .authorised
    }

    private static let declined = Authorisation.declined("The card was declined.")

    func lookUp(_ number: PaymentIdentifier) async throws -> Authorisation? {
        try await call { self.books[number.rawValue].map { $0.status == .declined ? Self.declined : .authorised } }
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
        switch books[number.rawValue]?.status {
        case .authorised: books[number.rawValue]?.status = status
        case status: break
        // A capture that was sent before the refund may arrive after it.
        case .refunded where status == .captured: break
        case let other: complain(number, status, other)
        }
    }

    private func complain(_ number: PaymentIdentifier, _ status: Status, _ old: Status?) {
        complaints.append("\(number) was to be \(status) when it was \(old.map { "\($0)" } ?? "unknown")")
    }

    /// Runs the body after a pause. A call that fails runs it immediately,
    /// later or never, and throws in each case.
    private func call<T: Sendable>(_ body: @escaping () -> T) async throws -> T {
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
