// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The bus as one process of the store sees it. It loses, delays and repeats
/// announcements on their way to each process, the own one included.
final class SimulatedBus: NewsBus, @unchecked Sendable {  // because only the scheduler's thread touches it
    private unowned let world: World
    private let life: ProcessLife
    private var receivers: [@Sendable ([Announcement]) -> Void] = []

    init(_ world: World, _ life: ProcessLife) {
        self.world = world
        self.life = life
    }

    func subscribe(_ receiver: @escaping @Sendable ([Announcement]) -> Void) { receivers.append(receiver) }

    func publish(_ announcements: [Announcement]) {
        guard life.isAlive else { return }
        for node in world.store.nodes { node.bus?.carry(announcements) }
    }

    /// Brings announcements to this process, sooner or later, once, twice or
    /// never.
    private func carry(_ announcements: [Announcement]) {
        if !world.isEnding, world.chance.happens(100) {
            world.note("\(life.name) misses an announcement")
            return
        }
        deliver(announcements, after: world.chance.pause(0..<50, long: 50..<20_000))
        if world.chance.happens(50) { deliver(announcements, after: world.chance.pause(0..<50, long: 50..<20_000)) }
    }

    private func deliver(_ announcements: [Announcement], after pause: Int64) {
        guard pause > 0 else { return receive(announcements) }
        world.scheduler.after(pause) { [self] in receive(announcements) }
    }

    private func receive(_ announcements: [Announcement]) {
        guard life.isAlive else { return }
        for receiver in receivers { receiver(announcements) }
    }
}
