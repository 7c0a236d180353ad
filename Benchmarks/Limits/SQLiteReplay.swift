// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite
import StoreDatabase
import StoreMeasurement

/// The statements that operations such as purchases have run, with nothing
/// around them: SQLite's C interface runs them again on one thread, on a copy
/// of the store from before these operations. Each statement has the arguments that were recorded
/// and therefore the same effect.
struct SQLiteReplay {
    private let copy: URL
    private let work: URL
    private let transactions: [RecordedTransaction]
    private let unit: String
    private let operations: Int

    /// Copies a store in a folder, and records the operations that a closure
    /// runs; `operations` is their number.
    ///
    /// - Throws: ``BenchmarkFailure``, or the error of the closure.
    init(
        of store: BenchmarkStore, in folder: URL, _ unit: String = "purchases", operations: Int,
        during body: () async throws -> Void
    ) async throws {
        let folder = folder.appending(path: "replay-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        copy = folder.appending(path: "copy.sqlite")
        work = folder.appending(path: "work.sqlite")
        let path = copy.path
        let original = BenchmarkStore.file(in: folder.deletingLastPathComponent()).path
        try ReplayedDatabase(path: original).execute("VACUUM INTO '\(path)'")
        transactions = try await store.database.transactions(during: body)
        (self.unit, self.operations) = (unit, operations)
        guard transactions.contains(where: \.isWrite) else {
            throw BenchmarkFailure("No write was recorded.")
        }
    }

    /// The rate of the recorded operations, with a commit after a number of
    /// writes: the store has one commit for as many as customers buy concurrently.
    func side(writesPerCommit: Int) -> Side {
        Side(
            unit, each: operations,
            rate: {
                try await onThreads(1) { _ in try replay(writesPerCommit: writesPerCommit) }[0]
            })
    }

    private func replay(writesPerCommit: Int) throws -> Double {
        try remove()
        try FileManager.default.copyItem(at: copy, to: work)
        let rate = try replayOnWork(writesPerCommit: writesPerCommit)
        try remove()
        return rate
    }

    /// The connections are closed at the end, before the file is removed.
    private func replayOnWork(writesPerCommit: Int) throws -> Double {
        // Reads have a connection of their own, as in the store.
        let writer = try ReplayedDatabase(path: work.path)
        let reader = try ReplayedDatabase(path: work.path)
        for transaction in transactions {
            let database = transaction.isWrite ? writer : reader
            for statement in transaction.statements { _ = try database.prepared(statement) }
        }
        let duration = try ContinuousClock().measure {
            try run(writer, reader, writesPerCommit: writesPerCommit)
        }
        return Double(operations) / (duration / .seconds(1))
    }

    private func run(_ writer: ReplayedDatabase, _ reader: ReplayedDatabase, writesPerCommit: Int) throws {
        var open = 0
        for transaction in transactions {
            guard transaction.isWrite else {
                try reader.execute("BEGIN")
                for statement in transaction.statements { try reader.run(statement) }
                try reader.execute("COMMIT")
                continue
            }
            if open == 0 { try writer.execute("BEGIN IMMEDIATE") }
            for statement in transaction.statements { try writer.run(statement) }
            open += 1
            if open == writesPerCommit {
                try writer.execute("COMMIT")
                open = 0
            }
        }
        if open > 0 { try writer.execute("COMMIT") }
    }

    private func remove() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: work.path + suffix) {
            try FileManager.default.removeItem(atPath: work.path + suffix)
        }
    }
}

/// A connection of SQLite's C interface with the settings of the store's
/// engine.
private final class ReplayedDatabase {
    struct Prepared {
        var statement: OpaquePointer?
        /// The place of each parameter `$1, $2 …`; 0 for one that isn't in the
        /// text.
        var places: [Int32]
    }

    private var database: OpaquePointer?
    private var statements: [String: Prepared] = [:]

    init(path: String) throws {
        try check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil))
        for sql in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"] {
            try check(sqlite3_exec(database, sql, nil, nil, nil))
        }
        // The function of the engine that returns its argument.
        try check(
            sqlite3_create_function_v2(
                database, "wall_now", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
                { context, _, arguments in sqlite3_result_value(context, arguments?[0]) }, nil, nil, nil))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement.statement) }
        sqlite3_close(database)
    }

    /// Runs a statement without parameters.
    func execute(_ sql: String) throws {
        try run(RecordedTransaction.Statement(sql: sql, arguments: []))
    }

    /// Runs a statement and reads every column of its rows.
    func run(_ recorded: RecordedTransaction.Statement) throws {
        let prepared = try prepared(recorded)
        for (place, argument) in zip(prepared.places, recorded.arguments) where place > 0 {
            try check(bind(argument, at: place, of: prepared.statement))
        }
        var result = sqlite3_step(prepared.statement)
        while result == SQLITE_ROW {
            for column in 0..<sqlite3_column_count(prepared.statement) {
                _ = sqlite3_column_blob(prepared.statement, column)
            }
            result = sqlite3_step(prepared.statement)
        }
        try check(result, is: SQLITE_DONE)
        try check(sqlite3_reset(prepared.statement))
    }

    /// Prepares the text of a statement at its first use.
    func prepared(_ recorded: RecordedTransaction.Statement) throws -> Prepared {
        if let known = statements[recorded.sql] { return known }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(database, recorded.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        let places = recorded.arguments.indices.map { sqlite3_bind_parameter_index(statement, "$\($0 + 1)") }
        let made = Prepared(statement: statement, places: places)
        statements[recorded.sql] = made
        return made
    }

    private func bind(_ value: DatabaseValue, at place: Int32, of statement: OpaquePointer?) -> Int32 {
        // SQLite copies the bytes (SQLITE_TRANSIENT).
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch value {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
        case .text(let text): sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), copied)
        case .blob(let data):
            data.withUnsafeBytes { sqlite3_bind_blob(statement, place, $0.baseAddress, Int32($0.count), copied) }
        }
    }

    private func check(_ result: Int32, is expected: Int32 = SQLITE_OK) throws {
        guard result == expected else {
            throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database))) (\(result))")
        }
    }
}
