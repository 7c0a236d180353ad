// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite
import Synchronization

/// A SQLite VFS that stores files on simulated disks.
///
/// It is registered as the default VFS. Paths below a mounted folder lead to
/// that mount's disk, on behalf of that mount's process. All other paths are
/// passed to the operating system's VFS.
enum SimulatedVFS {
    /// A mounted folder, and the process that uses its disk through it.
    struct Mount: Sendable {
        let folder: String
        let life: ProcessLife
    }

    private static let mounts = Mutex<[String: Mount]>([:])

    /// Mounts a process' disk at a folder.
    static func mount(_ life: ProcessLife, at folder: String) {
        _ = installed
        mounts.withLock { $0[folder] = Mount(folder: folder, life: life) }
    }

    static func unmount(_ folder: String) {
        mounts.withLock { $0[folder] = nil }
    }

    /// The mount of a path, and the path on its disk.
    static func find(_ path: String) -> (life: ProcessLife, name: String)? {
        mounts.withLock { mounts in
            var folder = path[...]
            while let slash = folder.lastIndex(of: "/") {
                folder = folder[..<slash]
                if let mount = mounts[String(folder)] {
                    return (mount.life, String(path[path.index(after: slash)...]))
                }
            }
            return nil
        }
    }

    /// The operating system's VFS, for paths that aren't mounted. Never
    /// freed.
    nonisolated(unsafe) fileprivate static let system = sqlite3_vfs_find(nil)  // because SQLite never changes it

    private static let installed: Int32 = {
        guard let own = system else { return SQLITE_ERROR }
        let door = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        door.initialize(to: own.pointee)
        door.pointee.pNext = nil
        door.pointee.zName = UnsafePointer(strdup("simulated"))
        door.pointee.szOsFile = max(own.pointee.szOsFile, OpenFile.size)
        door.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let file else { return SQLITE_CANTOPEN }
            guard let name, let (life, path) = find(String(cString: name)) else {
                return system?.pointee.xOpen(system, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
            }
            let result = OpenFile.open(path, life, flags: flags, in: file)
            if result == SQLITE_OK { outFlags?.pointee = flags }
            return result
        }
        door.pointee.xDelete = { _, name, synchronises in
            guard let name, let (life, path) = find(String(cString: name)) else {
                return system?.pointee.xDelete(system, name, synchronises) ?? SQLITE_IOERR
            }
            do {
                try life.disk.remove(path, synchronises: synchronises != 0, for: life)
                return SQLITE_OK
            } catch DiskFailure.missing {
                return SQLITE_IOERR | (23 << 8)  // SQLITE_IOERR_DELETE_NOENT
            } catch {
                return SQLITE_IOERR
            }
        }
        door.pointee.xAccess = { _, name, flags, answer in
            guard let name, let (life, path) = find(String(cString: name)) else {
                return system?.pointee.xAccess(system, name, flags, answer) ?? SQLITE_IOERR
            }
            answer?.pointee = life.disk.exists(path) ? 1 : 0
            return SQLITE_OK
        }
        return sqlite3_vfs_register(door, 1)
    }()
}
