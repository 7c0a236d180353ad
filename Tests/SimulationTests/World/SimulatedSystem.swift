// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDatabase

/// The operating system for one process of an app: its device's disk, and the
/// app's other processes there.
struct SimulatedSystem: AgentSystem {
    let world: World
    let device: SimulatedDevice
    let life: ProcessLife
    /// The folder at which the disk is mounted for this process.
    let root: String
    /// Whether the process is the device's daemon.
    var isDaemon = false

    func daemon(of home: URL, _ clock: AgentClock) -> (any DaemonDoor)? {
        guard !isDaemon, let daemon = device.daemon else { return nil }
        return SimulatedDoor(device: device, daemon: daemon, life: life)
    }

    var files: any FileSystem {
        var files = SimulatedFiles(life: life, root: root, overlooksRemovals: world.mistake == .removalsAreOverlooked)
        guard world.downloads != nil else { return files }
        files.caches = SimulatedCaches(mistake: world.mistake, isFull: { [device] in device.cachesAreFull })
        files.look = { [device] in device.look() }
        return files
    }

    func openJournal(_ file: URL) throws -> any Database {
        GatedDatabase(
            engine: try SQLiteDatabase(.file(file.path)), life: life, scheduler: world.scheduler,
            look: { [device] in device.look() })
    }

    func makeQueue(_ label: String) -> any WorkQueue { SimulatedQueue(world.scheduler, life) }

    /// The path of a file on the device's disk.
    private func name(_ file: URL) -> String { String(file.path.dropFirst(root.count + 1)) }

    func enter(
        _ process: String, in folder: URL, woken: @escaping @Sendable () -> Void
    ) throws -> any ProcessPresence {
        let queue = SimulatedQueue(world.scheduler, life)
        device.enter(process, name(folder), life) { queue.async(woken) }
        return SimulatedPresence(identifier: process, folder: name(folder), device: device)
    }

    func acquireLock(_ file: URL) async throws -> any HeldLock {
        let lock = device.lock(name(file))
        try await lock.acquire(for: life)
        return SimulatedLock.Held(lock: lock, life: life)
    }
}

/// A process as a member of its app's processes on a device.
private struct SimulatedPresence: ProcessPresence {
    let identifier: String
    let folder: String
    let device: SimulatedDevice

    func wakeOthers() {
        device.wakeOthers(than: identifier, in: folder)
    }

    func isAlive(_ process: String) -> Bool {
        if process == identifier { return true }
        if device.world.mistake == .processesDenyEachOther { return false }
        return device.isAlive(process, in: folder)
    }

    func leave() {
        device.leave(identifier, folder)
    }
}

/// The lock of the process that talks to the store. It is released when that
/// process ends.
final class SimulatedLock: @unchecked Sendable {  // because only the scheduler's thread touches it
    private var holder: ProcessLife?
    private var waiting: [(life: ProcessLife, waiter: Waiter<Void>)] = []

    func acquire(for life: ProcessLife) async throws {
        let waiter = Waiter<Void>()
        waiting.append((life, waiter))
        handOn()
        try await waiter.wait()
    }

    /// Gives the lock to the next living process, unless a living process
    /// holds it.
    func handOn() {
        if let holder, !holder.hasEnded { return }
        holder = nil
        while !waiting.isEmpty {
            let (life, waiter) = waiting.removeFirst()
            guard !life.hasEnded, !waiter.isSettled else { continue }
            holder = life
            return waiter.settle(.success(()))
        }
    }

    struct Held: HeldLock {
        let lock: SimulatedLock
        let life: ProcessLife

        func release() {
            guard lock.holder === life else { return }
            lock.holder = nil
            lock.handOn()
        }
    }
}
