// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAPI

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(Darwin)
internal import Darwin
#endif

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
    static func loadOrCreate(in folder: AgentFolder, random: AgentRandom) throws -> DeviceIdentity {
        let lock = try Posix.descriptor(of: folder.deviceLock.path, O_RDWR | O_CREAT)
        defer { Posix.shut(lock) }
        guard Posix.lock(lock) else { throw Posix.failure("locked", folder.deviceLock.path) }
        if let known = try load(folder.device) { return known }

        let credentials = DeviceCredentials(
            identifier: random.hexadecimal(bytes: 16), secret: random.hexadecimal(bytes: 32))
        try Posix.replace(folder.device, temporary: ".device.json") { inode in
            try StoreCoding.encode(
                Contents(identifier: credentials.identifier, secret: credentials.secret, inode: inode))
        }
        return DeviceIdentity(credentials: credentials)
    }

    /// The identity in a file; `nil` when there is none, or another device's.
    static func load(_ file: URL) throws -> DeviceIdentity? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let contents: Contents
        do {
            contents = try StoreCoding.decode(Contents.self, from: try Data(contentsOf: file))
        } catch {
            throw AgentError(
                .home, "\(file.path) can't be read as a device's identity (\(error)). Remove it to be a new device.")
        }
        let credentials = DeviceCredentials(identifier: contents.identifier, secret: contents.secret)
        guard credentials.isWellFormed else {
            throw AgentError(.home, "\(file.path) holds no device's identity. Remove it to be a new device.")
        }
        guard contents.inode == Posix.inode(file) else { return nil }
        return DeviceIdentity(credentials: credentials)
    }

    /// The 16 bytes that a receipt's hash is made with.
    var identifier: Data {
        Hexadecimal.data(credentials.identifier) ?? Data()
    }
}
