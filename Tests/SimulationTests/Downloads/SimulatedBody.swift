// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreService

/// The bytes of one answer on their way from the store to a device. The
/// connection may be cut at any byte, and a byte may be altered.
final class SimulatedBody: @unchecked Sendable {  // because only the scheduler's thread touches it
    private enum Fault {
        case cut, end, stall, alteration
    }

    let bytes: AsyncThrowingStream<Data, any Error>
    private let client: AsyncThrowingStream<Data, any Error>.Continuation
    private let world: World
    private let device: SimulatedDevice
    private let life: ProcessLife
    private let server: SimulatedServer
    /// The fault of this answer, and the number of bytes before it.
    private let fault: (kind: Fault, place: Int)?
    /// Called when a byte is altered.
    private let altered: () -> Void
    private var sent = 0
    private var pump = 0
    private var ending = 0
    private var watch = 0
    private var lastArrival: Int64 = 0
    /// Whether bytes are lost from now on, without notice to either end.
    private var isStalled = false
    private var isOver = false

    init(
        _ stream: ContentStream, of length: Int, from server: SimulatedServer, to device: SimulatedDevice,
        _ life: ProcessLife, _ world: World, altered: @escaping () -> Void
    ) {
        self.world = world
        self.device = device
        self.life = life
        self.server = server
        self.altered = altered
        fault = Self.draw(length, world)
        (bytes, client) = AsyncThrowingStream.makeStream(of: Data.self)
        client.onTermination = { [self] _ in close() }
        ending = server.whenEnded { [self] in cut("reset") }
        watchSilence()
        pump = server.run { [self] in
            while let part = try await stream.next() { carry(part) }
        } answered: { [self] result in
            deliver {
                switch result {
                case .success: self.finish(nil)
                case .failure(let error): self.finish(error)
                }
            }
        }
    }

    /// Three times as often as messages have faults: a transfer takes longer.
    private static func draw(_ length: Int, _ world: World) -> (Fault, Int)? {
        guard world.chance.happens(min(700, world.network.trouble * 3)) else { return nil }
        let kind = world.chance.pick([.cut, .cut, .cut, .end, .end, .stall, .alteration] as [Fault]) ?? .cut
        let place = world.chance.number(in: 0..<max(1, length))
        // An altered byte would explain the damage of a planted mistake.
        return (kind == .alteration && world.mistake != nil ? .cut : kind, place)
    }

    /// Sends bytes in packets of any size.
    private func carry(_ part: Data) {
        var rest = part
        while !rest.isEmpty {
            let packet = rest.prefix(world.chance.number(in: 1..<2000))
            rest = rest.dropFirst(packet.count)
            send(Data(packet))
        }
    }

    private func send(_ packet: Data) {
        var packet = packet
        let before = sent
        sent += packet.count
        if let fault, (before..<sent).contains(fault.place), !isOver {
            switch fault.kind {
            case .alteration:
                packet[fault.place - before] ^= 0x20
                altered()
            case .cut, .end, .stall:
                packet = packet.prefix(fault.place - before)
            }
        }
        if !packet.isEmpty {
            deliver { [packet] in
                self.watchSilence()
                self.client.yield(packet)
            }
        }
        guard let fault, (before..<sent).contains(fault.place) else { return }
        switch fault.kind {
        case .cut: deliver { self.cut("cut") }
        case .end: deliver { self.finish(nil) }
        case .stall: deliver { self.isStalled = true }
        case .alteration: break
        }
    }

    /// Runs the arrival after the ones before it.
    private func deliver(_ arrival: @escaping () -> Void) {
        lastArrival = max(lastArrival, world.scheduler.now) + world.network.delay()
        world.scheduler.after(lastArrival - world.scheduler.now) { [self] in
            guard !isOver, !isStalled, life.isAlive else { return }
            guard device.isOnline else {
                isStalled = true
                return
            }
            arrival()
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
