// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreService

/// The network between devices and the store. It loses, delays, repeats and
/// reorders messages and cuts connections, as often as `trouble` says.
final class SimulatedNetwork {
    /// The reason why there was no answer.
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private let scheduler: Scheduler
    private let chance: Chance
    /// The rate of faults, in thousandths; each kind of fault has a fraction
    /// of it.
    var trouble = 0
    /// Picks the process of the store for a message or a stream; `nil` when
    /// its node is down.
    var pick: () -> SimulatedServer? = { nil }
    /// Called with every answer that leaves the store.
    var answered: (StoreMessage, Data) -> Void = { _, _ in }
    /// Called with every message that reaches the store; returns the message
    /// that the store handles.
    var arrived: (StoreMessage) -> StoreMessage = { $0 }
    private(set) var messages = 0

    /// The milliseconds that a client waits for an answer.
    /// `HTTPStoreConnection` waits longer.
    static let timeLimit: Int64 = 30_000
    /// The milliseconds without data after which a stream is cut, as in
    /// `HTTPStoreConnection`.
    static let silence: Int64 = 60_000

    init(_ scheduler: Scheduler, _ chance: Chance) {
        self.scheduler = scheduler
        self.chance = chance
    }

    func delay() -> Int64 {
        trouble == 0 ? Int64(chance.number(in: 1..<20)) : chance.pause(1..<200, long: 200..<20_000, isLong: trouble)
    }

    /// Sends a message once, twice or not at all. The first answer or failure
    /// settles the reply.
    func send(_ message: StoreMessage, isOnline: Bool, reply: Waiter<Data>) {
        messages += 1
        let fate = chance.number(in: 0..<1000)
        guard isOnline, pick() != nil, fate >= trouble / 4 else {
            scheduler.after(delay()) { reply.settle(.failure(Self.failure(.notSent, "refused"))) }
            return
        }
        scheduler.after(Self.timeLimit) { reply.settle(.failure(Self.failure(.unanswered, "no answer in time"))) }
        // The message is lost, and the connection may be cut.
        guard fate >= trouble / 2 else {
            if chance.happens(500) {
                scheduler.after(delay()) { reply.settle(.failure(Self.failure(.unanswered, "cut while sending"))) }
            }
            return
        }
        scheduler.after(delay()) { self.arrive(message, reply) }
        if chance.happens(trouble) {
            let late = chance.pause(1..<5000, long: 5000..<120_000, isLong: 500)
            scheduler.after(late) { self.arrive(message, reply) }
        }
    }

    private func arrive(_ message: StoreMessage, _ reply: Waiter<Data>) {
        guard let server = pick() else {
            scheduler.after(delay()) { reply.settle(.failure(Self.failure(.unanswered, "reset"))) }
            return
        }
        let heard = arrived(message)
        server.run {
            try await server.service.answer(heard)
        } answered: { [self] result in
            if case .success(let data) = result { answered(message, data) }
            goBack(result, reply)
        }
    }

    private func goBack(_ result: Result<Data, any Error>, _ reply: Waiter<Data>) {
        let fate = chance.number(in: 0..<1000)
        guard fate >= trouble / 2 else {
            // The answer is lost, whole or in part. A client that doesn't check
            // the length may read the part as the whole answer.
            switch (result, chance.number(in: 0..<3)) {
            case (.success(let data), 0):
                let kept = data.count * chance.number(in: 0..<100) / 100
                scheduler.after(delay()) { reply.settle(.success(data.prefix(kept))) }
            case (_, 1):
                scheduler.after(delay()) { reply.settle(.failure(Self.failure(.unanswered, "cut while answering"))) }
            default:
                break
            }
            return
        }
        scheduler.after(delay()) { reply.settle(result) }
    }

    static func failure(_ reach: ConnectionFailure.Reach, _ reason: String) -> ConnectionFailure {
        ConnectionFailure(reach: reach, underlying: Fault(description: reason))
    }

    /// Draws whether a fault happens now.
    func isTroubled() -> Bool { chance.happens(trouble / 4) }
}
