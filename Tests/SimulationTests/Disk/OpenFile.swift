// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite

/// An open file of one SQLite connection, which SQLite's I/O methods work on.
final class OpenFile {
    fileprivate let life: ProcessLife
    fileprivate let file: DiskFile
    fileprivate let sharing: FileSharing
    fileprivate let connection: Int
    fileprivate let name: String
    /// Whether the first flush also makes the names in the folder durable, as
    /// SQLite's Unix VFS does for journals that it has created.
    fileprivate let isJournal: Bool
    fileprivate let isTemporary: Bool

    private init(_ name: String, _ file: DiskFile, _ life: ProcessLife, flags: Int32) {
        self.life = life
        self.file = file
        self.name = name
        isTemporary = flags & SQLITE_OPEN_DELETEONCLOSE != 0
        isJournal = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
        sharing = file.sharing
        connection = life.disk.newConnection()
    }

    fileprivate var disk: SimulatedDisk { life.disk }

    /// The number of bytes that SQLite allocates for an open file.
    static let size = Int32(MemoryLayout<sqlite3_file>.stride + MemoryLayout<Unmanaged<OpenFile>>.stride)

    static func open(
        _ name: String, _ life: ProcessLife, flags: Int32, in memory: UnsafeMutablePointer<sqlite3_file>
    ) -> Int32 {
        memory.pointee.pMethods = nil
        do {
            let file: DiskFile
            do {
                file = try life.disk.file(name, for: life)
            } catch DiskFailure.missing where flags & SQLITE_OPEN_CREATE != 0 {
                file = try life.disk.makeFile(name, for: life)
            }
            let open = OpenFile(name, file, life, flags: flags)
            UnsafeMutableRawPointer(memory).advanced(by: MemoryLayout<sqlite3_file>.stride)
                .storeBytes(of: Unmanaged.passRetained(open), as: Unmanaged<OpenFile>.self)
            memory.pointee.pMethods = UnsafePointer(methods)
            return SQLITE_OK
        } catch {
            return code(of: error, otherwise: SQLITE_CANTOPEN)
        }
    }

    fileprivate static func reference(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Unmanaged<OpenFile>? {
        guard let file else { return nil }
        return UnsafeMutableRawPointer(file).load(
            fromByteOffset: MemoryLayout<sqlite3_file>.stride, as: Unmanaged<OpenFile>.self)
    }

    fileprivate static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        reference(file)?.takeUnretainedValue()
    }

    fileprivate static func code(of error: any Error, otherwise: Int32 = SQLITE_IOERR) -> Int32 {
        switch error {
        case DiskFailure.full: SQLITE_FULL
        case DiskFailure.missing: otherwise
        default: SQLITE_IOERR
        }
    }

    /// Runs the body; returns its result code, or the code of the error that
    /// it throws.
    fileprivate static func attempt(_ body: () throws -> Int32) -> Int32 {
        do {
            return try body()
        } catch {
            return code(of: error)
        }
    }

    // Safe because the table is initialised once and never changed.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        var table = sqlite3_io_methods()
        table.iVersion = 2
        setFileMethods(&table)
        setLockMethods(&table)
        setIndexMethods(&table)
        methods.initialize(to: table)
        return methods
    }()
}

private func setFileMethods(_ table: inout sqlite3_io_methods) {
    table.xClose = { file in
        guard let reference = OpenFile.reference(file) else { return SQLITE_OK }
        let open = reference.takeRetainedValue()
        open.disk.release { open.sharing.close(open.connection) }
        if open.isTemporary { try? open.disk.remove(open.name, synchronises: false, for: open.life) }
        return SQLITE_OK
    }
    table.xRead = { file, buffer, length, offset in
        guard let open = OpenFile.of(file), let buffer else { return SQLITE_IOERR }
        return OpenFile.attempt {
            let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(length))
            let count = try open.disk.use(open.life) { open.file.bytes.read(into: target, at: Int(offset)) }
            guard count < Int(length) else { return SQLITE_OK }
            // SQLite requires the rest of the buffer to be zeros.
            memset(buffer.advanced(by: count), 0, Int(length) - count)
            return SQLITE_IOERR | (2 << 8)  // SQLITE_IOERR_SHORT_READ
        }
    }
    table.xWrite = { file, buffer, length, offset in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            try open.disk.write(
                UnsafeRawBufferPointer(start: buffer, count: Int(length)), to: open.file, at: Int(offset),
                for: open.life)
            return SQLITE_OK
        }
    }
    table.xTruncate = { file, size in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            try open.disk.resize(open.file, to: Int(size), for: open.life)
            return SQLITE_OK
        }
    }
    table.xSync = { file, _ in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            try open.disk.synchronise(open.file, named: open.name, folder: open.isJournal, for: open.life)
            return SQLITE_OK
        }
    }
    table.xFileSize = { file, size in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            size?.pointee = Int64(try open.disk.use(open.life) { open.file.bytes.count })
            return SQLITE_OK
        }
    }
    table.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    table.xSectorSize = { _ in 512 }
    // A torn write doesn't change the bytes around it.
    table.xDeviceCharacteristics = { _ in 0x1000 }  // SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

private func setLockMethods(_ table: inout sqlite3_io_methods) {
    table.xLock = { file, level in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            try open.disk.use(open.life) { open.sharing.lock(open.connection, open.life, to: level) }
                ? SQLITE_OK : SQLITE_BUSY
        }
    }
    table.xUnlock = { file, level in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        open.disk.release { open.sharing.unlock(open.connection, open.life, to: level) }
        return SQLITE_OK
    }
    table.xCheckReservedLock = { file, answer in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            answer?.pointee = try open.disk.use(open.life) { open.sharing.isReserved(besides: open.connection) } ? 1 : 0
            return SQLITE_OK
        }
    }
}

private func setIndexMethods(_ table: inout sqlite3_io_methods) {
    table.xShmMap = { file, number, size, makes, answer in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        return OpenFile.attempt {
            let region = try open.disk.use(open.life) {
                open.sharing.region(
                    Int(number), size: Int(size), makes: makes != 0, for: open.connection, open.life)
            }
            answer?.pointee = region.map { UnsafeMutableRawPointer($0) }
            return SQLITE_OK
        }
    }
    table.xShmLock = { file, offset, count, flags in
        guard let open = OpenFile.of(file) else { return SQLITE_IOERR }
        let mask = UInt8(truncatingIfNeeded: ((1 << count) - 1) << offset)
        if flags & 1 != 0 {  // SQLITE_SHM_UNLOCK
            open.disk.release { open.sharing.unlockIndex(open.connection, open.life, mask: mask) }
            return SQLITE_OK
        }
        return OpenFile.attempt {
            let isExclusive = flags & 8 != 0  // SQLITE_SHM_EXCLUSIVE
            return try open.disk.use(open.life) {
                open.sharing.lockIndex(open.connection, open.life, mask: mask, exclusively: isExclusive)
            } ? SQLITE_OK : SQLITE_BUSY
        }
    }
    table.xShmBarrier = { _ in }
    table.xShmUnmap = { file, _ in
        guard let open = OpenFile.of(file) else { return SQLITE_OK }
        open.disk.release { open.sharing.unmap(open.connection) }
        return SQLITE_OK
    }
}
