// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Synchronization

/// One event stream of a daemon's apps at one store, which each app reads as a
/// stream of its own.
///
/// A request for events names all apps and where the events of each go on. It
/// is made anew when an app joins or leaves; the sequences of the others go
/// on. When the stream breaks, all sequences end, and each app joins again at
/// the position of its journal, after a pause of its own. The journals'
/// positions are the only durable record.
///
/// An app that takes its events too slowly leaves the stream, and joins again.
final class SharedEventStream: Sendable {
    private struct Member {
        var part: SharedPart
        let sequence: SharedSequence
    }

    private struct State {
        var members: [Int: Member] = [:]
        var next = 0
        var credentials: DeviceCredentials?
        var isClosed = false
        /// Decided when another request is needed.
        var change = Completion()
    }

    /// One request to the store. An app's place in it is that of its number.
    private struct Request {
        var numbers: [Int] = []
        var call = EventsCall(apps: [])
        var credentials: DeviceCredentials?
    }

    /// The number of bytes of the events that may wait for an app.
    static let bytesOfAnApp = 1 << 20
    /// The time for which a request waits for other apps: those of a daemon
    /// that starts join within it.
    private static let pause = Duration.milliseconds(50)

    private let connection: any SharingStoreConnection
    private let clock: AgentClock
    private let limit: Int
    private let state = Mutex(State())

    /// A stream over a connection. ``run()`` opens it.
    init(_ connection: any SharingStoreConnection, clock: AgentClock, bytesOfAnApp limit: Int = bytesOfAnApp) {
        self.connection = connection
        self.clock = clock
        self.limit = limit
    }

    /// The events of an app, which joins the stream. It returns when the store
    /// has opened the app. An app that already has a sequence loses the
    /// earlier one.
    ///
    /// An app of other credentials, and one more than a request may name, get
    /// streams of their own.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`, `CancellationError`.
    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        guard let (number, sequence, events) = join(subscription) else {
            return try await connection.events(subscription)
        }
        do {
            try await sequence.opening.wait()
        } catch {
            leave(number)
            throw error
        }
        return events
    }

    /// Ends ``run()``.
    func close() {
        let change = state.withLock { state in
            state.isClosed = true
            return state.change
        }
        change.decide(.success(()))
    }

    /// Keeps the stream open until the task is cancelled, or the stream is
    /// closed.
    func run() async {
        while !Task.isCancelled, !state.withLock({ $0.isClosed }) {
            let (request, change) = begin()
            await withTaskGroup(of: Void.self) { group in
                if !request.numbers.isEmpty { group.addTask { await self.follow(request) } }
                try? await change.wait()
                try? await clock.sleep(for: Self.pause)
                group.cancelAll()
            }
        }
        end(state.withLock { $0.members.keys.sorted() }, CancellationError())
    }

    private func follow(_ request: Request) async {
        guard let credentials = request.credentials else { return }
        do {
            for try await received in try await connection.events(request.call, as: credentials) {
                try receive(received, of: request)
            }
            // A request that another one follows ends no sequence.
            if !Task.isCancelled { end(request.numbers, nil) }
        } catch {
            if !Task.isCancelled { end(request.numbers, error) }
        }
    }

    private func receive(_ received: AppEvent, of request: Request) throws {
        guard request.numbers.indices.contains(received.place) else {
            throw StoreFailure(.unreadableAnswer, "The store sent an event of an app that the request doesn't name.")
        }
        let number = request.numbers[received.place]
        let taken = state.withLock { state -> (SharedPart.Step, SharedSequence)? in
            guard let step = state.members[number]?.part.take(received.event, size: received.size) else { return nil }
            return state.members[number].map { (step, $0.sequence) }
        }
        guard let (step, sequence) = taken else { return }
        switch step {
        case .nothing: break
        case .open: sequence.opening.decide(.success(()))
        case .end(let failure): end([number], failure)
        case .deliver(let event, let size, let isLast):
            let hasRoom = sequence.add(event, size: size)
            if isLast || !hasRoom { end([number], nil) }
        }
    }
}

extension SharedEventStream {
    private func join(
        _ subscription: EventSubscription
    ) -> (Int, SharedSequence, AsyncThrowingStream<StoreEvent, any Error>)? {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let (sequence, events) = SharedSequence.make(limit: limit) { [weak self] in self?.leave(number) }
        let joined = state.withLock { state -> (change: Completion, earlier: SharedSequence?)? in
            let earlier = state.members.first { $0.value.part.app.bundleIdentifier == subscription.bundleIdentifier }
            let others = state.members.count - (earlier == nil ? 0 : 1)
            guard others == 0 || state.credentials == subscription.credentials, others < StreamedApps.count else {
                return nil
            }
            if let earlier { state.members[earlier.key] = nil }
            state.credentials = subscription.credentials
            state.members[number] = Member(part: SharedPart(subscription.app), sequence: sequence)
            return (state.change, earlier?.value.sequence)
        }
        guard let joined else { return nil }
        joined.earlier?.end(nil)
        joined.change.decide(.success(()))
        return (number, sequence, events)
    }

    /// The request of all apps as they are now.
    private func begin() -> (Request, change: Completion) {
        state.withLock { state in
            state.change = Completion()
            var request = Request(credentials: state.credentials)
            for (number, member) in state.members.sorted(by: { $0.key < $1.key }) {
                state.members[number]?.part.begin()
                request.numbers.append(number)
                request.call.apps.append(member.part.app)
            }
            return (request, state.change)
        }
    }

    /// Takes an app out of the stream that has dropped its sequence.
    private func leave(_ number: Int) {
        let change = state.withLock { state in
            state.members.removeValue(forKey: number) == nil ? nil : state.change
        }
        change?.decide(.success(()))
    }

    /// Ends the sequences of some apps. The store goes on without a new
    /// request, unless they were the last ones.
    private func end(_ numbers: [Int], _ error: (any Error)?) {
        let (ended, change) = state.withLock { state in
            let ended = numbers.compactMap { state.members.removeValue(forKey: $0)?.sequence }
            return (ended, state.members.isEmpty ? state.change : nil)
        }
        for sequence in ended { sequence.end(error) }
        if !ended.isEmpty { change?.decide(.success(())) }
    }
}
