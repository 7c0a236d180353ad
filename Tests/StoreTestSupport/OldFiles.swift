// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI
import StoreDatabase
package import StoreDomain

/// The files that commit 4e37f59 has written. `Tests/Fixtures/4e37f59/README.md`
/// describes them.
package enum OldFiles {
    /// The app of the purchases.
    package static let bundleIdentifier = "de.tum.in.www1.sgdws13.BuyFruit"
    package static let email = "tester@example.com"
    package static let password = "Fruit-Salad-1"
    /// A time some hours after the last purchase.
    package static let later = WallTime(milliseconds: 1_795_400_000_000)

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/4e37f59", isDirectory: true)

    private struct Identity: Codable {
        var identifier: String
        var secret: String
        var inode: UInt64
    }

    /// The phone's credentials.
    package static func credentials() throws -> DeviceCredentials {
        let identity = try JSONDecoder().decode(Identity.self, from: contents(of: "device.json"))
        return DeviceCredentials(identifier: identity.identifier, secret: identity.secret)
    }

    /// The phone's receipt on disk.
    package static func receipt() throws -> Data {
        Data(base64Encoded: try contents(of: "sandboxReceipt.base64"), options: .ignoreUnknownCharacters) ?? Data()
    }

    /// The tablet's queue before the refund.
    package static func tabletQueue() throws -> QueueSnapshot {
        try StoreCoding.decode(QueueSnapshot.self, from: contents(of: "tablet.json"))
    }

    /// The statements of a dump, in order.
    package static func statements(of dump: String) throws -> [String] {
        String(decoding: try contents(of: dump), as: UTF8.self).components(separatedBy: ";\n").filter { !$0.isEmpty }
    }

    /// Makes a SQLite file from a dump.
    package static func makeDatabase(_ dump: String, at path: String) throws {
        let statements = try statements(of: dump)
        let database = try SQLiteDatabase(.file(path))
        try database.write { connection in
            for statement in statements { try connection.run(statement) }
        }
        try database.close()
    }

    /// Opens the store in a folder, where it makes the store's file.
    package static func openStore(in folder: TemporaryFolder) async throws -> TestStore {
        let path = folder.path("store.sqlite")
        try makeDatabase("store.sql", at: path)
        return try await TestStore(try SQLiteDatabase(.file(path)), clock: TestClock(now: later))
    }

    /// Makes the phone's home, with the journal and the receipt of the app.
    package static func makeHome(at home: URL) throws {
        let app = home.appendingPathComponent("apps/\(bundleIdentifier)", isDirectory: true)
        let receipts = app.appendingPathComponent("StoreKit", isDirectory: true)
        try FileManager.default.createDirectory(at: receipts, withIntermediateDirectories: true)
        try receipt().write(to: receipts.appendingPathComponent("sandboxReceipt"))
        try makeDatabase("journal.sql", at: app.appendingPathComponent("journal.sqlite").path)
        try writeIdentity(to: home.appendingPathComponent("device.json"))
    }

    /// Writes the phone's identity with the inode of the file, as in a home
    /// that was moved and not copied.
    private static func writeIdentity(to file: URL) throws {
        try Data().write(to: file)
        var identity = try JSONDecoder().decode(Identity.self, from: contents(of: "device.json"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        identity.inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: JSONEncoder().encode(identity))
        try handle.close()
    }

    private static func contents(of name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }
}
