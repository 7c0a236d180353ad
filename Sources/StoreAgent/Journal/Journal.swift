// SPDX-License-Identifier: Apache-2.0

import StoreCore
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

    /// Checks that no newer version has changed the tables since this process
    /// opened the journal.
    ///
    /// - Throws: ``AgentError`` with the code `journalVersion`, `DatabaseError`.
    static func checkVersion(_ connection: any Connection) throws {
        let applied: Int? = try connection.row("SELECT count(*) AS n FROM schema_migration")?.get("n")
        guard applied != JournalSchema.migrations.count else { return }
        throw AgentError(
            .journalVersion,
            """
            A newer version of StoreKit has changed the journal of this app, so that a program of the version \
            \(StoreVersion.current) doesn't synchronize its purchases any more. The app's newer processes do. End the \
            app's older ones, and install the storeagentd of the app's version.
            """)
    }
}
