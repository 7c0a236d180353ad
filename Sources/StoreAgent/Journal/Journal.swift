// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The stored state of one app on one device, shared by all processes of the
/// app.
final class Journal: Sendable {
    let database: any Database

    /// Opens a device's journal and creates missing tables.
    ///
    /// A journal that was copied with its home belongs to another device,
    /// which sends and finishes its entries. On this device it is emptied.
    ///
    /// - Throws: `DatabaseError`.
    init(_ database: any Database, device: String) throws {
        self.database = database
        try Migrator(JournalSchema.migrations).migrate(database)
        try database.write { connection in
            let owner: String? = try connection.row("SELECT device FROM journal")?.get("device")
            guard owner != device else { return }
            for table in JournalSchema.tables { try connection.run("DELETE FROM \(table)") }
            try connection.run("INSERT INTO journal (device, sequence, question) VALUES ($1, 0, 0)", [device])
        }
    }
}
