// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The file operations of the agent. A file's bytes and a folder's names
/// survive a power failure only after they are synchronised.
package protocol FileSystem: Sendable {
    /// Returns the contents of a file; `nil` when it doesn't exist.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func contents(of file: URL) throws -> Data?

    /// Returns the number that identifies a file on its file system; `nil`
    /// when it doesn't exist. A copy has another number; a moved file keeps
    /// it.
    func inode(of file: URL) -> UInt64?

    /// Runs a closure while no other process runs one with the same file.
    ///
    /// - Throws: the closure's error, ``AgentError`` with the code `home`.
    func withLock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result

    /// Creates an empty file that only its user can read, or empties an
    /// existing one.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func makeFile(_ file: URL) throws -> any WritableFile

    /// Renames a file, and replaces the file that has the new name. Renames a
    /// folder too, if there is no folder of the new name or an empty one.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func rename(_ file: URL, to other: URL) throws

    /// Removes a file if it exists.
    func remove(_ file: URL)

    /// Makes the names in a folder durable.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func synchronise(folder: URL) throws

    // Folders of files that are written in parts.

    /// Returns the number of bytes of a file; `nil` when it doesn't exist or
    /// isn't a regular file.
    func size(of file: URL) -> Int64?

    /// Calls a closure with the bytes of a file in parts, in order.
    ///
    /// - Throws: the closure's error, ``AgentError`` with the code `home`.
    func read(_ file: URL, _ part: (Data) throws -> Void) throws

    /// Opens an existing file, to append to it.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func openFile(_ file: URL) throws -> any WritableFile

    /// Removes the bytes of a file after a number of bytes.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func cut(_ file: URL, to size: Int64) throws

    /// Creates a folder that only its user can read, and the missing folders
    /// above it. Does nothing when it exists.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func makeFolder(_ folder: URL) throws

    /// Whether a folder exists.
    func isFolder(_ folder: URL) -> Bool

    /// The names in a folder, in any order; none when it can't be read.
    func names(in folder: URL) -> [String]

    /// Removes a folder with all that it contains, if it exists.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func removeFolder(_ folder: URL) throws

    /// Makes all files in a folder and in the folders below it durable, with
    /// their names.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func synchronise(contentsOf folder: URL) throws
}

/// A file that is being written.
package protocol WritableFile {
    var inode: UInt64 { get }

    /// Appends bytes.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func write(_ data: Data) throws

    /// Makes the bytes durable.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func synchronise() throws

    func close()
}

extension FileSystem {
    /// Removes the bytes of a file after a number of bytes, by a copy of the
    /// others.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    package func cut(_ file: URL, to size: Int64) throws {
        let copy = file.appendingPathExtension("cut")
        let new = try makeFile(copy)
        defer { new.close() }
        var rest = size
        try read(file) { part in
            let kept = part.prefix(Int(min(rest, Int64(part.count))))
            rest -= Int64(kept.count)
            if !kept.isEmpty { try new.write(kept) }
        }
        try new.synchronise()
        try rename(copy, to: file)
    }

    /// Replaces a file atomically and durably: after a crash, the path has
    /// either the old contents or the new ones. `contents` is called with the
    /// new file's inode.
    ///
    /// - Throws: ``AgentError`` with the code `home`, and the error of
    ///   `contents`.
    func replace(_ file: URL, temporary name: String, contents: (_ inode: UInt64) throws -> Data) throws {
        let folder = file.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(name)
        do {
            let new = try makeFile(temporary)
            defer { new.close() }
            try new.write(contents(new.inode))
            try new.synchronise()
            try rename(temporary, to: file)
        } catch {
            remove(temporary)
            throw error
        }
        try synchronise(folder: folder)
    }
}
