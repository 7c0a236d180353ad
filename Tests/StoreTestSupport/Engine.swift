// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// The engines that keep the contract; every contract test runs on each.
package enum Engine: CaseIterable, Sendable {
    case sqliteMemory, sqliteFile

    /// Opens an empty database; the folder is for engines that need a file.
    package func open(in folder: TemporaryFolder) throws -> any Database {
        switch self {
        case .sqliteMemory: try SQLiteDatabase(.memory)
        case .sqliteFile: try SQLiteDatabase(.file(folder.path("contract.sqlite")))
        }
    }

    /// Gives an empty database to a test, and removes it afterwards.
    package func withDatabase(_ body: (any Database) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let database = try open(in: folder)
        try await body(database)
        try database.close()
    }
}
