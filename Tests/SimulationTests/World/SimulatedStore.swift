// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport

/// The store: a disk, a payment provider, and one process at a time.
final class SimulatedStore: @unchecked Sendable {  // because only the scheduler's thread touches it
    private unowned let world: World
    let disk: SimulatedDisk
    let provider: SimulatedProvider
    private(set) var server: SimulatedServer?
    /// The database of the running process.
    private(set) var database: (any Database)?
    private var starts = 0
    private var isStopped = false

    init(_ world: World, disk: SimulatedDisk) {
        self.world = world
        self.disk = disk
        provider = SimulatedProvider(world.scheduler, world.chance)
    }

    /// Starts a process. If that fails, tries again later.
    func start() {
        guard server == nil, !isStopped else { return }
        starts += 1
        let life = ProcessLife("store.\(starts)", on: disk)
        let root = world.path(life.name)
        SimulatedVFS.mount(life, at: root)
        do {
            let database = GatedDatabase(
                engine: try SQLiteDatabase(.file(root + "/" + Self.file)), life: life, scheduler: world.scheduler,
                look: { [self] in look() })
            try Schema.migrate(database)
            var configuration = StoreConfiguration(
                database: database, clock: world.scheduler.wallClock,
                random: RandomSource(SeededGenerator(seed: world.chance.generator.next())))
            configuration.provider = provider
            configuration.isOnlyNode = true
            configuration.bus = SimulatedBus(world, life)
            configuration.faults = { [weak world] step in world?.reach(step, life) }
            let serving = ServingConfiguration(
                authority: try TestStore.authority.get(), publicURL: "https://store.example",
                logger: .silent)
            let store = Store(configuration, serving: serving)
            self.database = database
            server = SimulatedServer(store, life, world.scheduler)
            world.network.server = server
            world.note("\(life.name) has started")
        } catch {
            world.note("\(life.name) can't start")
            life.end()
            if disk.isDown { disk.restart(&world.chance.generator) }
            world.scheduler.after(1000) { [self] in start() }
        }
    }

    static let file = "store.sqlite"

    /// Ends the process and starts no other one.
    func stop() {
        isStopped = true
        kill()
    }

    /// Ends the process as SIGKILL does, and starts another one later.
    func kill() {
        guard let server else { return }
        world.note("\(server.life.name) is killed")
        self.server = nil
        // The database's closure retains the store: this breaks the cycle.
        database = nil
        world.network.server = nil
        server.end()
        let pause = world.chance.pause(100..<2000, long: 2000..<30_000, isLong: 200)
        world.scheduler.after(pause) { [self] in start() }
    }

    func losePower() {
        world.note("the store loses power")
        kill()
        disk.restart(&world.chance.generator)
    }

    /// Ends the process after a write that may have been its last, or
    /// restarts the machine after a power cut.
    func look() {
        guard disk.isDown || server?.life.hasEnded ?? false else { return }
        world.scheduler.add(to: world.scheduler.newName()) { [self] in
            if disk.isDown { losePower() } else if server?.life.hasEnded ?? false { kill() }
        }
    }
}
