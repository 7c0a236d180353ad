// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport

/// A node of the store: one process at a time, and its clock.
final class SimulatedNode: @unchecked Sendable {  // because only the scheduler's thread touches it
    private unowned let world: World
    private unowned let store: SimulatedStore
    private let name: String
    /// The offset of the node's clock in milliseconds.
    private let clockError: Int64
    /// Whether no other node serves the store.
    var isOnlyNode = true
    private(set) var server: SimulatedServer?
    /// The database and the bus of the running process.
    private(set) var database: (any Database)?
    private(set) var bus: SimulatedBus?
    private var starts = 0
    private var isStopped = false

    init(_ world: World, _ store: SimulatedStore, name: String, clockError: Int64) {
        self.world = world
        self.store = store
        self.name = name
        self.clockError = clockError
    }

    static let file = "store.sqlite"

    /// Whether the process has ended and isn't removed yet.
    var hasEnded: Bool { server?.life.hasEnded ?? false }

    /// Starts a process. If that fails, tries again later.
    func start() {
        guard server == nil, !isStopped else { return }
        starts += 1
        let life = ProcessLife("\(name).\(starts)", on: store.disk)
        let root = world.path(life.name)
        SimulatedVFS.mount(life, at: root)
        do {
            let database = GatedDatabase(
                engine: try SQLiteDatabase(.file(root + "/" + Self.file)), life: life, scheduler: world.scheduler,
                look: { [store] in store.look() }, mistake: world.mistake,
                beforeWrite: { [unowned world] in try world.look($0) })
            try Schema.migrate(database)
            try MistakenConnection.prepare(database, for: world.mistake)
            let bus = SimulatedBus(world, life)
            let serving = ServingConfiguration(
                authority: try TestStore.authority.get(), publicURL: "https://store.example",
                logger: .silent)
            let made = Store(configuration(database, bus, life), serving: serving)
            self.database = database
            self.bus = bus
            server = SimulatedServer(made, life, world.scheduler)
            world.note("\(life.name) has started")
        } catch {
            world.note("\(life.name) can't start")
            life.end()
            if store.disk.isDown { store.losePower() }
            world.scheduler.after(1000) { [self] in start() }
        }
    }

    private func configuration(
        _ database: any Database, _ bus: SimulatedBus, _ life: ProcessLife
    ) -> StoreConfiguration {
        var configuration = StoreConfiguration(
            database: database, clock: world.scheduler.wallClock(error: clockError),
            random: RandomSource(SeededGenerator(seed: world.chance.generator.next())))
        configuration.provider = SimulatedProviderClient(provider: store.provider, life: life)
        if world.downloads != nil {
            configuration.hosting = ContentHosting(
                storage: SimulatedStorage(life: life, scheduler: world.scheduler, look: { [store] in store.look() }))
        }
        configuration.isOnlyNode = isOnlyNode
        configuration.bus = bus
        configuration.faults = { [weak world] step in world?.reach(step, life) }
        return configuration
    }

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
        bus = nil
        server.end()
        let pause = world.chance.pause(100..<2000, long: 2000..<30_000, isLong: 200)
        world.scheduler.after(pause) { [self] in start() }
    }
}
