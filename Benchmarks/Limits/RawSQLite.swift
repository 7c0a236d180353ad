// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// The fastest commits of SQLite on one connection: a prepared statement, one
/// row per commit, each flushed to the disk before the next. It uses SQLite's
/// C interface, because through GRDB the limit would be GRDB's.
final class RawSQLite {
    private var database: OpaquePointer?
    private var insert: OpaquePointer?

    init(path: String) throws {
        try check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil))
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
            "CREATE TABLE entry (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
        ] {
            try check(sqlite3_exec(database, sql, nil, nil, nil))
        }
        try expect("PRAGMA journal_mode", "wal")
        try expect("PRAGMA synchronous", "2")
        let body = String(repeating: "x", count: 100)
        try check(sqlite3_prepare_v2(database, "INSERT INTO entry (body) VALUES ('\(body)')", -1, &insert, nil))
    }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_close(database)
    }

    func commit(times: Int) throws {
        for _ in 0..<times {
            try check(sqlite3_step(insert), is: SQLITE_DONE)
            try check(sqlite3_reset(insert))
        }
    }

    /// Reads every column of every row of a table, and returns the number of
    /// rows.
    static func read(table: String, of path: String) throws -> Int {
        var database: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, "SELECT * FROM \(table)", -1, &statement, nil) == SQLITE_OK
        else { throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
        var rows = 0
        var bytes = 0
        while sqlite3_step(statement) == SQLITE_ROW {
            rows += 1
            for column in 0..<sqlite3_column_count(statement) where sqlite3_column_text(statement, column) != nil {
                bytes += Int(sqlite3_column_bytes(statement, column))
            }
        }
        guard bytes > rows else { throw BenchmarkFailure("The rows of \(path) are empty.") }
        return rows
    }

    /// Checks a setting: with another value this would be another limit.
    private func expect(_ pragma: String, _ value: String) throws {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(database, pragma, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        try check(sqlite3_step(statement), is: SQLITE_ROW)
        let found = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
        guard found == value else { throw BenchmarkFailure("\(pragma) is \(found), not \(value).") }
    }

    private func check(_ result: Int32, is expected: Int32 = SQLITE_OK) throws {
        guard result == expected else {
            throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database))) (\(result))")
        }
    }
}
