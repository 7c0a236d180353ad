// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Synchronization

/// The disk of one machine. A process can end and the power can fail between
/// any two changes, and the disk can be full.
final class SimulatedDisk: @unchecked Sendable {  // because the lock guards all that changes
    private enum Renaming {
        case named(String, DiskFile)
        case moved(String, to: String, DiskFile)
        /// All files of a folder, which move together.
        case movedFolder(String, to: String)
        case removed(String)
        /// A folder without files.
        case removedFolder(String)

        var name: String {
            switch self {
            case .named(let name, _), .moved(let name, _, _), .movedFolder(let name, _), .removed(let name),
                .removedFolder(let name):
                name
            }
        }

        private var names: [String] {
            switch self {
            case .moved(let name, let other, _), .movedFolder(let name, let other): [name, other]
            case .named, .removed, .removedFolder: [name]
            }
        }

        /// Whether both change the same name, or one a name in the folder of
        /// the other.
        func concerns(_ other: Renaming) -> Bool {
            names.contains { name in
                other.names.contains { $0 == name || $0.hasPrefix(name + "/") || name.hasPrefix($0 + "/") }
            }
        }
    }

    private let lock = NSLock()
    private var names: [String: DiskFile] = [:]
    /// The names that survive a power cut.
    private var lastingNames: [String: DiskFile] = [:]
    private var renamings: [Renaming] = []
    private var files: UInt64 = 100
    private var connections = 0
    private var changesLeft: Int?
    private var hasPower = true
    private var isFull = false
    /// Whether a flush reports success without making anything durable.
    var lies = false
    private var changeCount = 0

    /// Whether the power failed at a change and `restart` hasn't run yet.
    var isDown: Bool { locked { !hasPower } }

    /// The number of changes so far.
    var changes: Int { locked { changeCount } }

    init() {}

    /// A disk with copies of another one's files.
    init(copyOf other: SimulatedDisk) {
        other.locked {
            for (name, file) in other.names { names[name] = file.copy() }
            files = other.files
        }
        lastingNames = names
    }

    /// Cuts the power at the first change after `count` more.
    func fail(afterChanges count: Int) {
        locked { changesLeft = count }
    }

    func setFull(_ full: Bool) {
        locked { isFull = full }
    }

    /// Restores the power after a cut, with the files and names that survive
    /// it. Every process must have ended.
    func restart(_ random: inout SeededGenerator) {
        lock.lock()
        defer { lock.unlock() }
        // A file system makes changes of names durable in the order in which they were made.
        let kept = random.next() % UInt64(renamings.count + 1)
        for renaming in renamings.prefix(Int(kept)) { apply(renaming, to: &lastingNames) }
        renamings = []
        names = lastingNames
        for (_, file) in names.sorted(by: { $0.key < $1.key }) { file.losePower(&random) }
        hasPower = true
        changesLeft = nil
    }

    private func apply(_ renaming: Renaming, to names: inout [String: DiskFile]) {
        switch renaming {
        case .named(let name, let file): names[name] = file
        case .moved(let name, let other, let file):
            names[name] = nil
            names[other] = file
        case .movedFolder(let name, let other):
            for (file, contents) in names where file.hasPrefix(name + "/") {
                names[file] = nil
                names[other + file.dropFirst(name.count)] = contents
            }
        case .removed(let name): names[name] = nil
        case .removedFolder(let name): names = names.filter { !$0.key.hasPrefix(name + "/") }
        }
    }

    private func rename(_ renaming: Renaming) {
        apply(renaming, to: &names)
        renamings.append(renaming)
    }

    /// Makes the names in a folder durable. Earlier changes of a folder that
    /// moves become durable with it, because they can't be made after it; those
    /// in a folder that is removed are of no effect any more.
    private func synchroniseNames(in folder: Substring) {
        var rest: [Renaming] = []
        for renaming in renamings {
            guard Self.folder(of: renaming.name) == folder else {
                rest.append(renaming)
                continue
            }
            if case .movedFolder = renaming {
                for earlier in rest where earlier.concerns(renaming) { apply(earlier, to: &lastingNames) }
                rest.removeAll { $0.concerns(renaming) }
            }
            if case .removedFolder(let name) = renaming { rest.removeAll { $0.name.hasPrefix(name + "/") } }
            apply(renaming, to: &lastingNames)
        }
        renamings = rest
    }

    private static func folder(of name: String) -> Substring {
        name.lastIndex(of: "/").map { name[..<$0] } ?? ""
    }

    private func locked<T>(_ body: () -> T) -> T {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// Makes one change, unless the process ends or the power fails before
    /// it.
    private func change<T>(_ life: ProcessLife, _ body: () throws -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        guard hasPower else { throw DiskFailure.dead }
        if let left = changesLeft {
            guard left > 0 else {
                hasPower = false
                throw DiskFailure.dead
            }
            changesLeft = left - 1
        }
        guard life.mayChangeDisk() else { throw DiskFailure.dead }
        changeCount += 1
        return try body()
    }
}

/// Why a disk has refused an operation.
enum DiskFailure: Error {
    /// The process has ended, or the machine has no power.
    case dead
    case full
    case missing
}

// Operations of processes.
extension SimulatedDisk {
    func file(_ name: String, for life: ProcessLife) throws -> DiskFile {
        lock.lock()
        defer { lock.unlock() }
        guard hasPower, !life.hasEnded else { throw DiskFailure.dead }
        guard let file = names[name] else { throw DiskFailure.missing }
        return file
    }

    /// The names of the files in a folder and in the folders below it.
    func files(in folder: String) -> [String] { locked { names.keys.filter { $0.hasPrefix(folder + "/") }.sorted() } }

    func exists(_ name: String) -> Bool { locked { names[name] != nil } }

    /// The contents of a file, for tests.
    func contents(_ name: String) -> Data? { locked { names[name]?.bytes.data } }

    /// Removes a file on behalf of no process; the removal survives a power
    /// cut.
    func removeForGood(_ name: String) {
        locked {
            names[name] = nil
            lastingNames[name] = nil
        }
    }

    /// Makes an empty file, which replaces a file of the same name.
    func makeFile(_ name: String, for life: ProcessLife) throws -> DiskFile {
        try change(life) {
            files += 1
            let file = DiskFile(number: files)
            rename(.named(name, file))
            return file
        }
    }

    func write(_ source: UnsafeRawBufferPointer, to file: DiskFile, at offset: Int, for life: ProcessLife) throws {
        try change(life) {
            if isFull, offset + source.count > file.bytes.count { throw DiskFailure.full }
            file.write(source, at: offset)
        }
    }

    func resize(_ file: DiskFile, to size: Int, for life: ProcessLife) throws {
        try change(life) {
            if isFull, size > file.bytes.count { throw DiskFailure.full }
            file.resize(size)
        }
    }

    /// Makes a file's bytes durable, and its name if it isn't durable yet;
    /// with `folder`, the name together with all others in its folder.
    func synchronise(_ file: DiskFile, named name: String?, folder: Bool = false, for life: ProcessLife) throws {
        try change(life) {
            if lies { return }
            file.synchronise()
            guard let name, names[name] === file, lastingNames[name] !== file else { return }
            if folder { return synchroniseNames(in: Self.folder(of: name)) }
            lastingNames[name] = file
            // Changes of the name before this file had it are of no effect any more.
            renamings.removeAll { renaming in
                switch renaming {
                case .named(let known, _), .removed(let known): known == name
                case .moved, .movedFolder, .removedFolder: false
                }
            }
        }
    }

    func move(_ name: String, to other: String, for life: ProcessLife) throws {
        try change(life) {
            if let file = names[name] { return rename(.moved(name, to: other, file)) }
            guard names.keys.contains(where: { $0.hasPrefix(name + "/") }) else { throw DiskFailure.missing }
            rename(.movedFolder(name, to: other))
        }
    }

    func remove(_ name: String, synchronises: Bool, for life: ProcessLife) throws {
        try change(life) {
            guard names[name] != nil else { throw DiskFailure.missing }
            rename(.removed(name))
            if synchronises { synchroniseNames(in: Self.folder(of: name)) }
        }
    }

    /// Removes a folder whose files were removed.
    func endRemoval(of folder: String, for life: ProcessLife) throws {
        try change(life) { rename(.removedFolder(folder)) }
    }

    func synchroniseNames(in folder: String, for life: ProcessLife) throws {
        try change(life) { if !lies { synchroniseNames(in: folder[...]) } }
    }

    /// Runs the body while no other process uses the disk.
    func use<T>(_ life: ProcessLife, _ body: () -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        guard hasPower, !life.hasEnded else { throw DiskFailure.dead }
        return body()
    }

    func release(_ body: () -> Void) { locked(body) }

    func newConnection() -> Int {
        locked {
            connections += 1
            return connections
        }
    }
}
