// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAPI

/// Who this device is: made at first use, and kept in a file that only its
/// user can read.
struct DeviceIdentity: Sendable, Hashable {
    let credentials: DeviceCredentials

    private struct Contents: Codable {
        var identifier: String
        var secret: String
        /// The file's own number on its file system: a copy has another, a
        /// file that was moved has the same.
        var inode: UInt64
    }

    /// Reads the device's identity, or makes one: of two processes that begin
    /// at once, both get the same. A copied file is another device's.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func loadOrCreate(
        in folder: AgentFolder, files: any FileSystem, random: AgentRandom
    ) throws -> DeviceIdentity {
        try files.withLock(folder.deviceLock) {
            if let known = try load(folder.device, files) {
                // Who made it may have died before its name lasted: what is
                // bought under an identity must not be lost with it.
                try files.synchronise(folder: folder.home)
                return known
            }
            let credentials = DeviceCredentials(
                identifier: random.hexadecimal(bytes: 16), secret: random.hexadecimal(bytes: 32))
            try files.replace(folder.device, temporary: ".device.json") { inode in
                try StoreCoding.encode(
                    Contents(identifier: credentials.identifier, secret: credentials.secret, inode: inode))
            }
            return DeviceIdentity(credentials: credentials)
        }
    }

    /// The identity in a file; `nil` when there is none, or another device's.
    static func load(_ file: URL, _ files: any FileSystem) throws -> DeviceIdentity? {
        guard let bytes = try files.contents(of: file) else { return nil }
        let contents: Contents
        do {
            contents = try StoreCoding.decode(Contents.self, from: bytes)
        } catch {
            throw AgentError(
                .home, "\(file.path) can't be read as a device's identity (\(error)). Remove it to be a new device.")
        }
        let credentials = DeviceCredentials(identifier: contents.identifier, secret: contents.secret)
        guard credentials.isWellFormed else {
            throw AgentError(.home, "\(file.path) holds no device's identity. Remove it to be a new device.")
        }
        guard contents.inode == files.inode(of: file) else { return nil }
        return DeviceIdentity(credentials: credentials)
    }

    /// The 16 bytes that a receipt's hash is made with.
    var identifier: Data {
        Hexadecimal.data(credentials.identifier) ?? Data()
    }
}
