// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreTestSupport

/// One device: a disk, a clock, a network connection, and the processes of
/// the apps on it.
final class SimulatedDevice: @unchecked Sendable {  // because only the scheduler's thread touches it
    unowned let world: World
    let name: String
    let disk = SimulatedDisk()
    /// The bundle identifiers of its apps.
    let bundles: [String]
    /// The synchronizer's lock of each app, by its file.
    private var locks: [String: SimulatedLock] = [:]
    /// The processes of each app, by its folder.
    private var presences: [String: [String: (life: ProcessLife, wake: () -> Void)]] = [:]
    var isOnline = true
    /// Whether the file system of the caches has no room. The journal is on
    /// another one.
    var cachesAreFull = false
    /// The offset of the device's clock in milliseconds.
    var clockError: Int64 = 0
    /// The time since which the device has allowed no payments.
    private(set) var restricted: Int64?
    /// The time at which the device last allowed payments again.
    private var allowed: Int64?
    /// The number of receipts that were removed by a person.
    private(set) var removals = 0
    /// The index of the account whose password is typed into the device's
    /// sheets.
    var customer: Int
    private(set) var processes: [SimulatedApp] = []
    /// Whether one of its apps misses events now, which shows a planted
    /// mistake.
    var isLeavingBehind = false
    /// The daemon, which may not run; `nil` on a device without one.
    private(set) lazy var daemon = world.hasDaemons ? SimulatedDaemon(self) : nil
    private var launches = 0

    init(_ world: World, _ name: String, customer: Int, bundles: [String]) {
        self.world = world
        self.name = name
        self.customer = customer
        self.bundles = bundles
    }

    /// The place of an app on this device.
    func place(of bundle: String) -> Place { Place(device: name, bundle: bundle) }

    private static func receiptFile(of bundle: String) -> String { "home/apps/\(bundle)/StoreKit/sandboxReceipt" }

    /// An app's receipt on the disk.
    func receipt(of bundle: String) -> Data? { disk.contents(Self.receiptFile(of: bundle)) }

    /// Removes a receipt, as a person does who frees disk space.
    func removeReceipt(of bundle: String) {
        guard receipt(of: bundle) != nil else { return }
        world.note("the receipt of \(place(of: bundle)) is removed")
        if world.mistake != .receiptsVanish { world.witness.receipts.removed(at: place(of: bundle)) }
        removals += 1
        disk.removeForGood(Self.receiptFile(of: bundle))
    }

    /// Allows payments or not. The change applies to every running app
    /// immediately.
    func restrict(_ isRestricted: Bool) {
        world.note("\(name) allows \(isRestricted ? "no" : "its") payments")
        if restricted != nil { allowed = world.scheduler.now }
        restricted = isRestricted ? world.scheduler.now : nil
        for app in processes { app.obeyRestrictions() }
        daemon?.obeyRestrictions()
    }

    /// Whether the device has allowed no payments at any time since a moment.
    func wasRestricted(since moment: Int64) -> Bool {
        restricted != nil || (allowed ?? 0) >= moment
    }

    /// Launches a process of an app.
    ///
    /// - Returns: `nil` if the process couldn't start.
    @discardableResult
    func launch(_ bundle: String) -> SimulatedApp? {
        launches += 1
        let life = ProcessLife("\(name).\(launches)", on: disk)
        let root = world.path(life.name)
        SimulatedVFS.mount(life, at: root)
        world.note("\(life.name) is launched, a process of \(place(of: bundle))")
        do {
            let app = try SimulatedApp(self, bundle, life, root: root)
            processes.append(app)
            app.begin()
            look()
            return app
        } catch {
            // The disk is full, or the process ended during its start.
            world.note("\(life.name) can't start")
            life.end()
            look()
            return nil
        }
    }

    /// Ends a process as SIGKILL does: its writes stay.
    func kill(_ app: SimulatedApp) {
        world.note("\(app.life.name) is killed")
        app.life.end()
        bury()
    }

    /// Cuts the device's power.
    func losePower() {
        world.note("\(name) loses power")
        for app in processes { app.life.end() }
        daemon?.losePower()
        bury()
        disk.restart(&world.chance.generator)
        world.downloads?.lostPower(name)
        for bundle in bundles { world.witness.receipts.look(at: receipt(of: bundle), of: place(of: bundle)) }
    }

    /// Removes ended processes after a write that may have ended one, or cut
    /// the power. Runs as a step of its own, because the writer's code hasn't
    /// returned yet.
    func look() {
        guard disk.isDown || processes.contains(where: { $0.life.hasEnded }) || daemon?.hasEnded == true
        else { return }
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
        daemon?.bury()
        for (folder, there) in presences { presences[folder] = there.filter { !$0.value.life.hasEnded } }
        for (_, lock) in locks.sorted(by: { $0.key < $1.key }) { lock.handOn() }
    }
}

// The locks and the wake-ups that the processes of one app share.
extension SimulatedDevice {
    func lock(_ file: String) -> SimulatedLock {
        if let known = locks[file] { return known }
        let lock = SimulatedLock()
        locks[file] = lock
        return lock
    }

    func enter(_ process: String, _ folder: String, _ life: ProcessLife, wake: @escaping () -> Void) {
        presences[folder, default: [:]][process] = (life, wake)
    }

    func leave(_ process: String, _ folder: String) {
        presences[folder]?[process] = nil
    }

    func isAlive(_ process: String, in folder: String) -> Bool {
        presences[folder]?[process]?.life.isAlive ?? false
    }

    func wakeOthers(than process: String, in folder: String) {
        for (name, presence) in (presences[folder] ?? [:]).sorted(by: { $0.key < $1.key })
        where name != process && presence.life.isAlive {
            presence.wake()
        }
    }
}

/// One app on one device.
struct Place: Hashable, CustomStringConvertible {
    var device: String
    var bundle: String

    var description: String { "\(bundle.split(separator: ".").last ?? "") on \(device)" }
}
