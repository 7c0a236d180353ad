// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain
import StoreService

/// The store: a machine with a disk and the processes that serve the store on
/// it, one or two, and a payment provider.
final class SimulatedStore: @unchecked Sendable {  // because only the scheduler's thread touches it
    private unowned let world: World
    let disk: SimulatedDisk
    let provider: SimulatedProvider
    private(set) var nodes: [SimulatedNode] = []
    private var isFull = false
    /// When the disk was last full.
    private var lastFull = Int64.min

    /// The largest error of a node's clock, in milliseconds. Two of them are
    /// less than the seconds that a lease still lasts when it is renewed.
    private static let clockError = 1500
    /// The time for which a lease that wasn't renewed may matter.
    private static let leaseMemory: Int64 = 20_000

    init(_ world: World, disk: SimulatedDisk) {
        self.world = world
        self.disk = disk
        provider = SimulatedProvider(world.scheduler, world.chance)
        provider.leasesMayRunOut = { [unowned self] in
            isFull || lastFull > world.scheduler.now - Self.leaseMemory
        }
        provider.note = { [unowned world] in world.note($0()) }
        provider.push = { [unowned self] in push($0, received: $1) }
    }

    /// Starts one process, or two that share the database. Each of two has a
    /// clock of its own.
    func start() {
        let needsTwo = [.leasesAreIgnored, .renewalLeasesAreIgnored].contains(world.mistake)
        let count = needsTwo || world.chance.happens(450) ? 2 : 1
        for number in 1...count {
            let error = count == 1 ? 0 : world.chance.number(in: -Self.clockError..<Self.clockError + 1)
            nodes.append(
                SimulatedNode(world, self, name: count == 1 ? "store" : "node\(number)", clockError: Int64(error)))
        }
        for node in nodes {
            node.isOnlyNode = count == 1
            node.start()
        }
    }

    /// The largest difference between the store's times and the right time.
    var tolerance: Int64 { nodes.count == 1 ? 0 : Int64(Self.clockError) }

    /// The running process of a node that the balancer picks; `nil` when that
    /// node is down.
    func pick() -> SimulatedServer? { pickNode()?.server }

    func pickNode() -> SimulatedNode? { nodes.count == 1 ? nodes.first : world.chance.pick(nodes) }

    /// The database, through any running process.
    var database: (any Database)? { nodes.first { $0.server != nil }?.database }

    /// Ends the processes and starts no other ones.
    func stop() {
        for node in nodes { node.stop() }
    }

    /// Cuts the power of the machine, on which all nodes are.
    func losePower() {
        world.note("the store loses power")
        for node in nodes { node.kill() }
        disk.restart(&world.chance.generator)
    }

    func setFull(_ isFull: Bool) {
        if self.isFull { lastFull = world.scheduler.now }
        self.isFull = isFull
        disk.setFull(isFull)
    }

    /// Ends the processes that a write may have ended, or restarts the machine
    /// after a power cut.
    func look() {
        guard disk.isDown || nodes.contains(where: \.hasEnded) else { return }
        world.scheduler.add(to: world.scheduler.newName()) { [self] in
            if disk.isDown { return losePower() }
            for node in nodes where node.hasEnded { node.kill() }
        }
    }

    /// Sends an event of the provider to a node, again until it is received.
    private func push(_ event: ProviderEvent, received: @escaping () -> Void) {
        world.ask({ try await $0.receive(event) }) { [self] result in
            guard case .failure = result else { return received() }
            world.scheduler.after(Int64(world.chance.number(in: 1000..<10_000))) { [self] in
                push(event, received: received)
            }
        }
    }
}
