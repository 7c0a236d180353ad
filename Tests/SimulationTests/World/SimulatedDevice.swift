// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreTestSupport

/// One device: a disk, a network connection, and the processes of one app.
final class SimulatedDevice: @unchecked Sendable {  // because only the scheduler's thread touches it
    unowned let world: World
    let name: String
    let disk = SimulatedDisk()
    let lock = SimulatedLock()
    var presences: [String: (life: ProcessLife, wake: () -> Void)] = [:]
    var isOnline = true
    /// Who uses the device: whose password is typed into its sheets.
    var customer: Int
    private(set) var processes: [SimulatedApp] = []
    private var launches = 0

    init(_ world: World, _ name: String, customer: Int) {
        self.world = world
        self.name = name
        self.customer = customer
    }

    static let receipt = "home/apps/\(TestStore.bundleIdentifier)/StoreKit/sandboxReceipt"

    /// The receipt on the disk.
    var receipt: Data? { disk.contents(Self.receipt) }

    /// Starts the app once more.
    ///
    /// - Returns: the process; `nil` when it couldn't start.
    @discardableResult
    func launch() -> SimulatedApp? {
        launches += 1
        let life = ProcessLife("\(name).\(launches)", on: disk)
        let root = world.path(life.name)
        SimulatedVFS.mount(life, at: root)
        world.note("\(life.name) is launched")
        do {
            let app = try SimulatedApp(self, life, root: root)
            processes.append(app)
            app.begin()
            look()
            return app
        } catch {
            // Its disk is full, or it ended while it began.
            world.note("\(life.name) can't start")
            life.end()
            look()
            return nil
        }
    }

    /// Ends a process as the kernel does: what it has written stays.
    func kill(_ app: SimulatedApp) {
        world.note("\(app.life.name) is killed")
        app.life.end()
        bury()
    }

    /// Takes the power away from everything on the device.
    func losePower() {
        world.note("\(name) loses power")
        for app in processes { app.life.end() }
        bury()
        disk.restart(&world.chance.generator)
        world.witness.lookAtReceipt(of: self)
    }

    /// Looks whether a write was the last of a process, or of the device;
    /// later, because whoever wrote has its hands full.
    func look() {
        guard disk.isDown || processes.contains(where: { $0.life.hasEnded }) else { return }
        world.scheduler.add(to: world.scheduler.newName()) { [self] in
            if disk.isDown { losePower() } else { bury() }
        }
    }

    private func bury() {
        let dead = processes.filter { $0.life.hasEnded }
        processes.removeAll { $0.life.hasEnded }
        for app in dead {
            world.witness.ended(app)
            app.end()
        }
        for (name, presence) in presences where presence.life.hasEnded { presences[name] = nil }
        lock.handOn()
    }
}
