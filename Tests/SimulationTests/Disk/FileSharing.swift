// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The state that the connections to one SQLite file share: its locks, and
/// the memory of its write-ahead log's index. A power cut removes it.
final class FileSharing {
    /// The locks of one connection.
    struct Locks {
        /// SQLite's levels: 0 none, 1 shared, 2 reserved, 3 pending, 4 exclusive.
        var level: Int32 = 0
        var shared: UInt8 = 0
        var exclusive: UInt8 = 0
    }

    private var locks: [Int: (life: ProcessLife, locks: Locks)] = [:]
    private var regions: [UnsafeMutableRawPointer] = []
    /// Memory that connections of ended processes may still point to.
    private var oldRegions: [UnsafeMutableRawPointer] = []
    private var mapping: [Int: ProcessLife] = [:]

    deinit { (regions + oldRegions).forEach { free($0) } }

    /// The locks of the other connections whose processes haven't ended.
    private func others(than connection: Int) -> [Locks] {
        locks.compactMap { $0.key != connection && !$0.value.life.hasEnded ? $0.value.locks : nil }
    }

    private func change(_ connection: Int, _ life: ProcessLife, _ body: (inout Locks) -> Void) {
        var mine = locks[connection]?.locks ?? Locks()
        body(&mine)
        locks[connection] = (life, mine)
    }

    /// Raises a connection's lock; `false` when a lock of another connection
    /// prevents that.
    func lock(_ connection: Int, _ life: ProcessLife, to level: Int32) -> Bool {
        let highest = others(than: connection).map(\.level).max() ?? 0
        let mine = locks[connection]?.locks.level ?? 0
        guard level > mine else { return true }
        switch level {
        case 1: guard highest < 3 else { return false }
        case 2: guard highest < 2 else { return false }
        default:
            guard highest < 2 else { return false }
            guard highest == 0 else {
                change(connection, life) { $0.level = 3 }
                return false
            }
        }
        change(connection, life) { $0.level = level }
        return true
    }

    func unlock(_ connection: Int, _ life: ProcessLife, to level: Int32) {
        change(connection, life) { $0.level = min($0.level, level) }
    }

    func isReserved(besides connection: Int) -> Bool {
        others(than: connection).contains { $0.level >= 2 }
    }

    /// Takes locks of the index; `false` when another connection holds one of
    /// them.
    func lockIndex(_ connection: Int, _ life: ProcessLife, mask: UInt8, exclusively: Bool) -> Bool {
        let held = others(than: connection)
        if held.contains(where: { $0.exclusive & mask != 0 }) { return false }
        if exclusively, held.contains(where: { $0.shared & mask != 0 }) { return false }
        change(connection, life) { locks in
            if exclusively { locks.exclusive |= mask } else { locks.shared |= mask }
        }
        return true
    }

    func unlockIndex(_ connection: Int, _ life: ProcessLife, mask: UInt8) {
        change(connection, life) { locks in
            locks.shared &= ~mask
            locks.exclusive &= ~mask
        }
    }

    /// A region of the index's memory; `nil` when it doesn't exist and
    /// `makes` is `false`. When no living process maps the index, the regions
    /// are new and zeroed.
    func region(
        _ number: Int, size: Int, makes: Bool, for connection: Int, _ life: ProcessLife
    ) -> UnsafeMutableRawPointer? {
        if mapping[connection] == nil {
            if !mapping.values.contains(where: { !$0.hasEnded }) {
                oldRegions += regions
                regions = []
            }
            mapping[connection] = life
        }
        while regions.count <= number {
            guard makes, let memory = calloc(1, size) else { return nil }
            regions.append(memory)
        }
        return regions[number]
    }

    func unmap(_ connection: Int) {
        mapping[connection] = nil
    }

    func close(_ connection: Int) {
        locks[connection] = nil
        unmap(connection)
    }
}
