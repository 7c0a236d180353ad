// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore

/// The device's credentials, made at first use and stored in a file that only
/// its user can read.
struct DeviceIdentity: Sendable, Hashable {
    let credentials: DeviceCredentials

    private struct Contents: Codable {
        var identifier: String
        var secret: String
        /// The file's inode. A copy has another; a moved file keeps it.
        var inode: UInt64
    }

    /// Reads the device's identity or makes one.
    ///
    /// Two processes that start at the same time get the same identity. A
    /// copied file belongs to another device and is replaced.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func loadOrCreate(
        in folder: AgentFolder, files: any FileSystem, random: AgentRandom
    ) throws -> DeviceIdentity {
        try files.withLock(folder.deviceLock) {
            if let known = try load(folder.device, files) {
                // The process that wrote the file may have died before the
                // folder was synchronised. Purchases depend on this identity,
                // so it must be durable before it is used.
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

    /// The identity in a file; `nil` when there is none, or the file is a
    /// copy from another device.
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
        Data(hexadecimal: credentials.identifier) ?? Data()
    }
}
