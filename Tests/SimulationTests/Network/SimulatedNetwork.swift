// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreService

/// What lies between devices and the store: it drops, delays, repeats,
/// reorders and cuts, as often as its trouble says.
final class SimulatedNetwork {
    /// Why there was no answer.
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private let scheduler: Scheduler
    private let chance: Chance
    /// How many of a thousand messages come to harm.
    var trouble = 0
    /// The store's process, when it runs.
    var server: SimulatedServer?
    /// Sees every answer on its way out of the store.
    var answered: (StoreMessage, Data) -> Void = { _, _ in }
    /// Sees every message that reaches the store, and says what it hears.
    var arrived: (StoreMessage) -> StoreMessage = { $0 }
    private(set) var messages = 0

    /// How long a client waits for an answer, as the one over HTTP does.
    static let patience: Int64 = 30_000
    /// How long a stream may be silent.
    static let silence: Int64 = 60_000

    init(_ scheduler: Scheduler, _ chance: Chance) {
        self.scheduler = scheduler
        self.chance = chance
    }

    func delay() -> Int64 {
        trouble == 0 ? Int64(chance.number(in: 1..<20)) : chance.pause(1..<200, long: 200..<20_000, isLong: trouble)
    }

    /// Sends a message once, or twice, or not, and settles the reply with
    /// what comes back first.
    func send(_ message: StoreMessage, isOnline: Bool, reply: Waiter<Data>) {
        messages += 1
        let fate = chance.number(in: 0..<1000)
        guard isOnline, server != nil, fate >= trouble / 4 else {
            scheduler.after(delay()) { reply.settle(.failure(Self.failure(.notSent, "refused"))) }
            return
        }
        scheduler.after(Self.patience) { reply.settle(.failure(Self.failure(.unanswered, "no answer in time"))) }
        // Lost on the way, whole or after some bytes.
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
        guard let server else {
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
            // Lost on the way back, whole or after some bytes; a client that
            // doesn't count may take those for all.
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

    /// Whether something of the usual trouble happens now.
    func isTroubled() -> Bool { chance.happens(trouble / 4) }
}
