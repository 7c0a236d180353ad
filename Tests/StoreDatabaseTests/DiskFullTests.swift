// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreTestSupport
import Testing

@testable import class StoreDatabase.SQLiteDatabase

struct DiskFullTests {
    private func limit(_ database: SQLiteDatabase) async throws {
        try await database.write { connection in
            try connection.run("PRAGMA max_page_count = 20")
        }
    }

    @Test("A full disk costs the others of the batch nothing", arguments: SQLiteKind.allCases)
    func othersAreWritten(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            try await limit(database)
            let runs = Log()
            let results = try await database.writeTogether([
                { connection in
                    runs.add(1)
                    try connection.add("apple")
                },
                { connection in try connection.add(String(repeating: "big", count: 100_000)) },
                { connection in try connection.add("pear") },
            ])

            try results[0].get()
            let error = #expect(throws: DatabaseError.self) { try results[1].get() }
            #expect(error?.code == .diskFull)
            try results[2].get()
            #expect(try await database.fruit() == ["apple", "pear"])
            // SQLite has rolled the first closure back too, so it ran again.
            #expect(runs.entries == [1, 1])
        }
    }

    @Test("A closure that hides the error fails with it, and its changes are undone", arguments: SQLiteKind.allCases)
    func theErrorCantBeHidden(kind: SQLiteKind) async throws {
        try await kind.withFruit { database in
            try await limit(database)
            let error = try await databaseError {
                try await database.write { connection in
                    try? connection.add(String(repeating: "big", count: 100_000))
                    try? connection.add("half")
                }
            }

            #expect(error.code == .diskFull)
            #expect(try await database.fruit() == [])
            try await database.write { connection in try connection.add("pear") }
            #expect(try await database.fruit() == ["pear"])
        }
    }

    #if os(Linux)
    @Test("When the commit fails, everybody in the batch gets the error")
    func failingCommit() async {
        // In a process of its own, because the limit applies to a whole process.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let database = try SQLiteDatabase(.file(folder.path("fruit.sqlite")))
            try await database.write { connection in
                try connection.run("CREATE TABLE fruit (id TEXT PRIMARY KEY, weight BIGINT)")
            }

            try limitFileSize(to: 20_000)
            let results = try await database.writeTogether([
                { connection in try connection.add(String(repeating: "a", count: 20_000)) },
                { connection in try connection.add("pear") },
            ])
            try limitFileSize(to: nil)

            for result in results {
                #expect(throws: DatabaseError.self) { try result.get() }
            }
            #expect(try await database.fruit() == [])
            try await database.write { connection in try connection.add("plum") }
            #expect(try await database.fruit() == ["plum"])
        }
    }
    #endif
}

#if os(Linux)
/// Makes writes beyond a file size fail, as on a full disk.
private func limitFileSize(to size: UInt?) throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    limit.rlim_cur = size ?? limit.rlim_max
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
#endif
