// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

/// The files of a session's device. They are real files, because apps read the
/// receipt, but not durable, because they are removed with the session.
struct SessionFiles: FileSystem {
    private let system = PosixSystem().files

    func contents(of file: URL) throws -> Data? { try system.contents(of: file) }
    func inode(of file: URL) -> UInt64? { system.inode(of: file) }
    func withLock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result { try body() }
    func makeFile(_ file: URL) throws -> any WritableFile { PassingFile(file: try system.makeFile(file)) }
    func rename(_ file: URL, to other: URL) throws { try system.rename(file, to: other) }
    func remove(_ file: URL) { system.remove(file) }
    func synchronise(folder: URL) {}
    func size(of file: URL) -> Int64? { system.size(of: file) }
    func read(_ file: URL, _ part: (Data) throws -> Void) throws { try system.read(file, part) }
    func openFile(_ file: URL) throws -> any WritableFile { PassingFile(file: try system.openFile(file)) }
    func makeFolder(_ folder: URL) throws { try system.makeFolder(folder) }
    func isFolder(_ folder: URL) -> Bool { system.isFolder(folder) }
    func names(in folder: URL) -> [String] { system.names(in: folder) }
    func removeFolder(_ folder: URL) throws { try system.removeFolder(folder) }
    func synchronise(contentsOf folder: URL) {}
}

private struct PassingFile: WritableFile {
    let file: any WritableFile

    var inode: UInt64 { file.inode }
    func write(_ data: Data) throws { try file.write(data) }
    func synchronise() {}
    func close() { file.close() }
}
