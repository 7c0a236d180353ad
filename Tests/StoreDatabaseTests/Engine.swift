// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The engines that keep the contract; every contract test runs on each.
enum Engine: CaseIterable {
    case sqliteMemory, sqliteFile

    /// Opens an empty database; the folder is for engines that need a file.
    func open(in folder: TemporaryFolder) throws -> any Database {
        switch self {
        case .sqliteMemory: try SQLiteDatabase(.memory)
        case .sqliteFile: try SQLiteDatabase(.file(folder.path("contract.sqlite")))
        }
    }

    /// Gives an empty database to a test, and removes it afterwards.
    func withDatabase(_ body: (any Database) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let database = try open(in: folder)
        try await body(database)
        try database.close()
    }

    /// The same, with the table `fruit (id TEXT PRIMARY KEY, weight BIGINT)`.
    func withFruit(_ body: (any Database) async throws -> Void) async throws {
        try await withDatabase { database in
            try await database.write { connection in
                try connection.run("CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)")
            }
            try await body(database)
        }
    }
}

struct Refusal: Error, Equatable {}
