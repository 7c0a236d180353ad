// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService

/// A content package on the disk, and a store that hosts it.
struct BenchmarkContent: Sendable {
    /// The folder with `ContentInfo.plist` and `Contents`.
    let folder: URL
    private let contents: URL
    /// The folder of the store's hosted content.
    private let storage: URL

    /// Makes a package for the benchmarks' product, without files.
    init(in folder: URL) throws {
        self.folder = folder.appending(path: "package", directoryHint: .isDirectory)
        contents = self.folder.appending(path: "Contents", directoryHint: .isDirectory)
        storage = Self.storage(in: folder)
        try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
        let information = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>IAPProductIdentifier</key><string>\(BenchmarkStore.product)</string>
            <key>ContentVersion</key><string>1.0</string>
            </dict></plist>
            """
        try Data(information.utf8).write(to: self.folder.appending(path: "ContentInfo.plist"))
    }

    /// Adds a file of random bytes.
    func add(_ path: String, bytes: Int) throws {
        var generator = SystemRandomNumberGenerator()
        var data = Data(capacity: bytes + 8)
        while data.count < bytes { withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) } }
        let file = contents.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.prefix(bytes).write(to: file)
    }

    /// Adds a file without blocks on the disk, whose bytes are all 0.
    func addSparse(_ path: String, bytes: Int) throws {
        let file = contents.appending(path: path)
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(bytes))
    }

    /// The folder of the hosted content of a store in a folder.
    static func storage(in folder: URL) -> URL {
        folder.appending(path: "content", directoryHint: .isDirectory)
    }

    /// Opens a store in a folder, which hosts content there.
    static func store(in folder: URL) async throws -> BenchmarkStore {
        try await BenchmarkStore(in: folder, hosting: ContentHosting(storage: FolderStorage(storage(in: folder))))
    }

    /// Opens such a store, which redirects devices to the server of the same
    /// folder at a port of this machine.
    static func store(in folder: URL, redirectingTo port: Int) async throws -> BenchmarkStore {
        let storage = RedirectedStorage(FolderStorage(storage(in: folder)), servedAt: port)
        return try await BenchmarkStore(in: folder, hosting: ContentHosting(storage: storage, redirects: true))
    }

    /// Publishes the package.
    ///
    /// - Returns: the file with the packed object.
    func publish(in store: BenchmarkStore) async throws -> URL {
        _ = try await Control.ContentVersion(
            publishing: PackedFolder(folder.path), of: BenchmarkStore.app, in: store.context)
        let files = FileManager.default.enumerator(at: storage, includingPropertiesForKeys: [.isRegularFileKey])
        while let file = files?.nextObject() as? URL {
            if try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true { return file }
        }
        throw BenchmarkFailure("The store has no object after a package was published.")
    }
}

extension Customer {
    /// Buys the benchmarks' product without finishing it, and returns the
    /// transaction, which gives the right to its content.
    func buyContent(at port: Int) async throws -> String {
        try await onThreads(1) { _ in
            let connections = try Connections([port])
            let cookie = try signInBuying(over: connections)
            return try buyOnly(request: "content", cookie: cookie, over: connections)
        }[0]
    }

    /// The path of the content of a transaction.
    static func content(of transaction: String, at port: Int) async throws -> String {
        try await onThreads(1) { _ in
            let connection = try HTTPConnection(port: port)
            let response = try connection.post(
                "\(StorePath.folder)/\(ContentCall.path.rawValue)",
                headers: ["Authorization": credentials(0).authorization, "Content-Type": "application/json"],
                body: try StoreCoding.encode(ContentCall(transaction: transaction)))
            return try StoreCoding.decode(ContentAnswer.self, from: response.body).address
        }[0]
    }
}
