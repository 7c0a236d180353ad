// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreService

/// The connection of one device process to the store, over the simulated
/// network.
final class SimulatedConnection: SharingStoreConnection, @unchecked Sendable {
    // because only the scheduler's thread touches it
    let world: World
    let device: SimulatedDevice
    let life: ProcessLife

    init(_ world: World, _ device: SimulatedDevice, _ life: ProcessLife) {
        self.world = world
        self.device = device
        self.life = life
    }

    func send(_ message: StoreMessage) async throws -> Data {
        guard life.isAlive else { throw CancellationError() }
        world.note("\(life.name) sends \(message.path.rawValue)")
        let reply = Waiter<Data>()
        let message = try garbled(message)
        witness(message)
        world.network.send(message, isOnline: device.isOnline, reply: reply)
        let result: Result<Data, any Error>
        do {
            result = .success(try await reply.wait())
        } catch {
            result = .failure(error)
        }
        guard life.isAlive else { throw CancellationError() }
        if case .failure(let error) = result {
            world.note("\(life.name) gets the failure of \(message.path.rawValue): \(Self.name(error))")
        }
        return try garbled(try result.get(), to: message)
    }

    /// The message as it is sent under the world's mistake.
    private func garbled(_ message: StoreMessage) throws -> StoreMessage {
        var garbled = message
        switch (world.mistake, message.path) {
        case (.requestsAreForgotten, .payments):
            var call = try StoreCoding.decode(PaymentCall.self, from: message.body)
            call.requestIdentifier += "-\(world.scheduler.newName())"
            garbled.body = try StoreCoding.encode(call)
        case (.valuesAreLost, .keyValues):
            var call = try StoreCoding.decode(KeyValuesCall.self, from: message.body)
            call.writes = Array(call.writes.dropFirst())
            garbled.body = try StoreCoding.encode(call)
        default:
            break
        }
        return garbled
    }

    /// The answer as it is received under the world's mistake.
    private func garbled(_ data: Data, to message: StoreMessage) throws -> Data {
        if message.path == .signedTransactions, world.transactions != nil { return try garbledPage(data) }
        guard world.mistake == .errorsAreMixedUp, message.path == .payments,
            var answer = try? StoreCoding.decode(PaymentCall.Answer.self, from: data)
        else { return data }
        answer.failure?.code = PurchaseFailure.Code.clientInvalid
        return try StoreCoding.encode(answer)
    }

    /// Reports a payment that is sent although it was added while the device
    /// allowed no payments.
    private func witness(_ message: StoreMessage) {
        guard let restricted = device.restricted, message.path == .payments,
            let call = try? StoreCoding.decode(PaymentCall.self, from: message.body),
            let payment = world.witness.payments[call.requestIdentifier], payment.added > restricted
        else { return }
        world.witness.complain("\(call.requestIdentifier) is sent by \(device.name), which allows no payments")
    }

    private static func name(_ error: any Error) -> String {
        switch error {
        case let failure as StoreFailure: failure.code.rawValue
        case let failure as ConnectionFailure: "\(failure.underlying)"
        default: "\(type(of: error))"
        }
    }

    func events(
        _ call: EventsCall, as credentials: DeviceCredentials
    ) async throws -> AsyncThrowingStream<AppEvent, any Error> {
        guard life.isAlive else { throw CancellationError() }
        world.transactions?.asks(call, device)
        let call = garbled(call)
        world.note("\(life.name) listens after \(call.apps.map { $0.position?.number ?? -1 })")
        guard device.isOnline, let server = world.network.pick(), !world.network.isTroubled() else {
            try await world.scheduler.sleep(milliseconds: world.network.delay())
            throw SimulatedNetwork.failure(.notSent, "refused")
        }
        let opened = Waiter<SharedFeed>()
        let ending = server.whenEnded { opened.settle(.failure(SimulatedNetwork.failure(.unanswered, "reset"))) }
        defer { server.forgetEnding(ending) }
        world.scheduler.after(world.network.delay()) {
            server.run {
                let device = try await server.service.admit(credentials, to: .events)
                return try await server.service.events(try StoreCoding.encode(call), of: device)
            } answered: {
                opened.settle($0)
            }
        }
        let feed = try await opened.wait()
        try await world.scheduler.sleep(milliseconds: world.network.delay())
        guard life.isAlive else { throw CancellationError() }
        return SimulatedStream(world, device, life, server, feed, of: call).events
    }

    /// The request for events as it is sent under the world's mistake.
    private func garbled(_ call: EventsCall) -> EventsCall {
        var garbled = call
        switch world.mistake {
        case .appsAreMixedUp:
            for place in garbled.apps.indices { garbled.apps[place].bundleIdentifier = Template.bundles[0] }
        case .joiningAppsTakePositions:
            let newest = call.apps.compactMap(\.position).max { $0.number < $1.number }
            for place in garbled.apps.indices where garbled.apps[place].position?.account == newest?.account {
                garbled.apps[place].position = newest
            }
        default:
            break
        }
        return garbled
    }
}

/// One open stream of events, from the store to a device.
private final class SimulatedStream: @unchecked Sendable {  // because only the scheduler's thread touches it
    let events: AsyncThrowingStream<AppEvent, any Error>
    private let client: AsyncThrowingStream<AppEvent, any Error>.Continuation
    private let world: World
    private let device: SimulatedDevice
    private let life: ProcessLife
    private let server: SimulatedServer
    private var pump = 0
    private var ending = 0
    private var watch = 0
    private var lastArrival: Int64 = 0
    /// Whether events are lost from now on, without notice to either end.
    private var isStalled = false
    private var isOver = false
    /// The places of the apps whose next numbered event is dropped under the
    /// world's mistake.
    private var dropping: Set<Int> = []

    init(
        _ world: World, _ device: SimulatedDevice, _ life: ProcessLife, _ server: SimulatedServer, _ feed: SharedFeed,
        of call: EventsCall
    ) {
        self.world = world
        self.device = device
        self.life = life
        self.server = server
        (events, client) = AsyncThrowingStream.makeStream(of: AppEvent.self)
        if world.mistake == .switchesLoseEvents, call.apps.count > 1 { dropping = Set(call.apps.indices) }
        client.onTermination = { [self] _ in close() }
        ending = server.whenEnded { [self] in cut("reset") }
        watchSilence()
        pump = server.run { [self] in
            while let item = await feed.next() { carry(item) }
        } answered: { [self] result in
            deliver {
                switch result {
                case .success: self.finish(nil)
                case .failure(let error): self.finish(error)
                }
            }
        }
    }

    private func carry(_ item: SharedFeed.Item) {
        if isOver || isStalled { return }
        if world.network.isTroubled() {
            if world.chance.happens(300) { isStalled = true } else { cut("cut") }
            return
        }
        deliver {
            if self.isStalled { return }
            guard self.device.isOnline else {
                self.isStalled = true
                return
            }
            self.watchSilence()
            guard case .event(var event, let place) = item else { return }
            if event.content is any NumberedEvent, self.dropping.remove(place) != nil { return }
            if event.content is StorefrontEvent, self.world.mistake == .movesAreForgotten { return }
            if self.world.mistake == .revocationsNameTheOriginal, var content = event.content as? RevokedEvent {
                content.revoked.transactionIdentifier = content.revoked.originalTransactionIdentifier
                event = StoreEvent(content)
            }
            let size = (try? StoreEventFrame(event).data.utf8.count) ?? 0
            self.client.yield(AppEvent(place: place, event: event, size: size))
        }
    }

    /// Runs the arrival after a delay. Arrivals on one connection keep their
    /// order.
    private func deliver(_ arrival: @escaping () -> Void) {
        lastArrival = max(lastArrival, world.scheduler.now + world.network.delay())
        world.scheduler.after(lastArrival - world.scheduler.now) { [self] in
            if !isOver, life.isAlive { arrival() }
        }
    }

    private func watchSilence() {
        world.scheduler.cancel(watch)
        watch = world.scheduler.after(SimulatedNetwork.silence) { [self] in cut("silent") }
    }

    private func cut(_ reason: String) {
        finish(SimulatedNetwork.failure(.unanswered, reason))
    }

    private func finish(_ error: (any Error)?) {
        guard !isOver else { return }
        client.finish(throwing: error)
        close()
    }

    private func close() {
        guard !isOver else { return }
        isOver = true
        world.scheduler.cancel(watch)
        server.forgetEnding(ending)
        server.cancel(pump)
    }
}
