// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The few things that the agent does to files. What isn't synchronised is
/// lost when the power goes: a file's bytes, a folder's names.
package protocol FileSystem: Sendable {
    /// What a file holds; `nil` when there is none.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func contents(of file: URL) throws -> Data?

    /// A file's own number; a copy has another, a file that was moved has the
    /// same. `nil` when there is none.
    func inode(of file: URL) -> UInt64?

    /// Runs a closure while no other process runs one with the same file.
    ///
    /// - Throws: what the closure throws, ``AgentError`` with the code `home`.
    func withLock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result

    /// Makes an empty file that its user alone may read, or empties the one
    /// that is there.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func makeFile(_ file: URL) throws -> any WritableFile

    /// Gives a file another name, in the place of what has it.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func rename(_ file: URL, to other: URL) throws

    /// Removes a file, if it is there.
    func remove(_ file: URL)

    /// Makes a folder's names last.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func synchronise(folder: URL) throws
}

/// A file that is being written.
package protocol WritableFile {
    var inode: UInt64 { get }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func write(_ data: Data) throws

    /// Makes the bytes last.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func synchronise() throws

    func close()
}

extension FileSystem {
    /// Writes a file so that its path holds either what it held or all of
    /// the new bytes, whatever crashes, and holds them durably on return. The
    /// bytes are asked for when the new file's inode is known.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
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
