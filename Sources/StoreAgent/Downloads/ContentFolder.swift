// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI

/// The folder of a content whose transfer isn't complete.
struct ContentFolder {
    let url: URL
    let files: any FileSystem
    /// A finished content of the product, whose files are copied where they
    /// are the same.
    let earlier: URL?

    private static let headPrefix = "head-"

    /// The files of the content, in their own folders.
    var content: URL { url.appendingPathComponent("files", isDirectory: true) }

    private func file(_ file: ContentManifest.File) -> URL { content.appendingPathComponent(file.path.text) }
    private func headFile(_ checksum: String) -> URL { url.appendingPathComponent(Self.headPrefix + checksum) }

    /// A file that is removed when the disk is full, so that the journal, on
    /// the same disk, can save that.
    private var reserve: URL { url.appendingPathComponent("reserve") }
    private static let reserveBytes = 1 << 16

    /// Creates the folder, if it doesn't exist.
    ///
    /// - Throws: ``AgentError`` with the code `home`, as all methods here.
    func create() throws {
        try files.makeFolder(content)
        guard files.size(of: reserve) != Int64(Self.reserveBytes) else { return }
        let file = try files.makeFile(reserve)
        defer { file.close() }
        try file.write(Data(count: Self.reserveBytes))
    }

    func removeReserve() {
        files.remove(reserve)
    }

    /// The saved head of an object; `nil` when there is none.
    func head(_ checksum: String) throws -> ContentHead? {
        try files.contents(of: headFile(checksum)).flatMap { try? ContentHead(decoding: $0) }
    }

    func save(_ head: Data, checksum: String) throws {
        try files.replace(headFile(checksum), temporary: ".head") { _ in head }
    }

    /// The bytes of each file of a manifest that are on disk.
    ///
    /// A file of the whole size is verified, and removed if it is another one.
    /// So are the files and heads of other versions.
    func bytes(of manifest: ContentManifest, checksum: String) throws -> [Int64] {
        let own = headFile(checksum).lastPathComponent
        for name in files.names(in: url) where name.hasPrefix(Self.headPrefix) && name != own {
            files.remove(url.appendingPathComponent(name))
        }
        try removeFiles(notIn: manifest)
        return try manifest.files.map(bytes)
    }

    /// Removes the files of which some bytes are on disk, before the head of
    /// another version is saved: they are of the version before.
    func removeIncompleteFiles(of manifest: ContentManifest) throws {
        for file in manifest.files {
            let url = self.file(file)
            if let size = files.size(of: url), size < file.size { files.remove(url) }
        }
    }

    private func bytes(of file: ContentManifest.File) throws -> Int64 {
        let url = self.file(file)
        if let size = files.size(of: url) {
            if size < file.size { return size }
            if size == file.size, try checksum(of: url) == file.sha256 { return size }
            files.remove(url)
        }
        guard file.size > 0 else {
            guard file.sha256 == SHA256.hash(data: Data()).hexadecimal else { throw DamagedContent(file) }
            try make(file).close()
            return 0
        }
        return try copyEarlier(file) ? file.size : 0
    }

    /// The hash of the whole object, from the files on disk.
    func hash(of manifest: ContentManifest, checksum: String) throws -> SHA256 {
        var hash = SHA256()
        try files.read(headFile(checksum)) { hash.update(data: $0) }
        for file in manifest.files { try files.read(self.file(file)) { hash.update(data: $0) } }
        return hash
    }

    private func checksum(of url: URL) throws -> String {
        var hash = SHA256()
        try files.read(url) { hash.update(data: $0) }
        return hash.finalize().hexadecimal
    }

    private func make(_ file: ContentManifest.File) throws -> any WritableFile {
        let url = self.file(file)
        try files.makeFolder(url.deletingLastPathComponent())
        return try files.makeFile(url)
    }

    /// Copies the file of the earlier content, if it is the same.
    private func copyEarlier(_ file: ContentManifest.File) throws -> Bool {
        guard let source = earlier?.appendingPathComponent(file.path.text), files.size(of: source) == file.size else {
            return false
        }
        var hash = SHA256()
        let copy = try make(file)
        defer { copy.close() }
        try files.read(source) { part in
            hash.update(data: part)
            try copy.write(part)
        }
        // The app may change its file at any time.
        if hash.finalize().hexadecimal == file.sha256 { return true }
        files.remove(self.file(file))
        return false
    }

    /// Opens a file at the end of the bytes that are on disk, with the hash of
    /// these.
    func open(_ file: ContentManifest.File, after bytes: Int64) throws -> (any WritableFile, SHA256) {
        var hash = SHA256()
        guard bytes > 0 else { return (try make(file), hash) }
        let url = self.file(file)
        try files.read(url) { hash.update(data: $0) }
        return (try files.openFile(url), hash)
    }

    func remove(_ file: ContentManifest.File) {
        files.remove(self.file(file))
    }

    func removeAll() throws {
        try files.removeFolder(url)
    }
}

// Files of other versions.
extension ContentFolder {
    /// Compares bytes, because texts are equal when they are canonically
    /// equivalent.
    private struct Paths {
        var files: Set<Data> = []
        var folders: Set<Data> = []

        init(_ manifest: ContentManifest) {
            for file in manifest.files {
                files.insert(Data(file.path.text.utf8))
                folders.formUnion(file.path.folders.map { Data($0.utf8) })
            }
        }
    }

    private func removeFiles(notIn manifest: ContentManifest) throws {
        try removeAll(but: Paths(manifest), in: content, path: "")
    }

    private func removeAll(but known: Paths, in folder: URL, path prefix: String) throws {
        for name in files.names(in: folder) {
            let path = prefix + name
            let child = folder.appendingPathComponent(name)
            if !files.isFolder(child) {
                if !known.files.contains(Data(path.utf8)) { files.remove(child) }
            } else if known.folders.contains(Data(path.utf8)) {
                try removeAll(but: known, in: child, path: path + "/")
            } else {
                try files.removeFolder(child)
            }
        }
    }
}

// The finished content.
extension ContentFolder {
    /// The name of a finished content's folder.
    static func name(_ checksum: String) -> String { String(checksum.prefix(32)) }

    /// Moves the verified files to the folder of the product's contents, and
    /// makes them durable.
    ///
    /// - Returns: the name of their folder there.
    func install(_ checksum: String, into contents: URL) throws -> String {
        let name = Self.name(checksum)
        let target = contents.appendingPathComponent(name, isDirectory: true)
        try files.synchronise(contentsOf: content)
        try files.makeFolder(contents)
        if files.isFolder(target) {
            // A folder isn't replaced by a rename.
            let replaced = url.appendingPathComponent("replaced", isDirectory: true)
            try files.removeFolder(replaced)
            try files.rename(target, to: replaced)
        }
        try files.rename(content, to: target)
        for folder in [url, contents, contents.deletingLastPathComponent()] { try files.synchronise(folder: folder) }
        return name
    }
}
