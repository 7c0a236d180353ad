// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

/// A database that records every statement, with the arguments of its first
/// execution, and counts transactions, statements and commits.
final class RecordingDatabase: Database {
    private let engine: any Database
    private let noted = Mutex<[String: [any DatabaseValueConvertible & Sendable]]>([:])
    private let counted = Mutex(Count())

    /// Numbers since the database was opened.
    struct Count: Hashable, Sendable, CustomStringConvertible {
        /// The transactions, reads and writes.
        var transactions = 0
        /// The statements of their closures, without those that the engine
        /// adds.
        var statements = 0
        /// The writes that succeeded.
        var commits = 0

        static func - (left: Count, right: Count) -> Count {
            Count(
                transactions: left.transactions - right.transactions, statements: left.statements - right.statements,
                commits: left.commits - right.commits)
        }

        var description: String { "\(transactions) transactions, \(statements) statements, \(commits) commits" }
    }

    init(_ engine: any Database) {
        self.engine = engine
    }

    var statements: [String: [any DatabaseValueConvertible & Sendable]] { noted.withLock { $0 } }
    var count: Count { counted.withLock { $0 } }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await committing {
            try await engine.write(rows, isUrgent: isUrgent) { [self] in
                try body(Recording(connection: $0, note: note))
            }
        }
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        counted.withLock { $0.transactions += 1 }
        return try await engine.read(isUrgent: isUrgent) { [self] in
            try body(Recording(connection: $0, note: note))
        }
    }

    @discardableResult
    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        counted.withLock { $0.transactions += 1 }
        let result = try engine.writeAndWait { [self] in try body(Recording(connection: $0, note: note)) }
        counted.withLock { $0.commits += 1 }
        return result
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        counted.withLock { $0.transactions += 1 }
        return try engine.readAndWait { [self] in try body(Recording(connection: $0, note: note)) }
    }

    func close() throws { try engine.close() }

    private func committing<T>(_ write: () async throws -> T) async throws -> T {
        counted.withLock { $0.transactions += 1 }
        let result = try await write()
        counted.withLock { $0.commits += 1 }
        return result
    }

    private func note(_ sql: String, _ arguments: [any DatabaseValueConvertible]) {
        let values = arguments.map(\.databaseValue)
        noted.withLock { $0[sql] = $0[sql] ?? values }
        counted.withLock { $0.statements += 1 }
    }

    private struct Recording: Connection {
        let connection: any Connection
        let note: (String, [any DatabaseValueConvertible]) -> Void

        func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
            note(sql, arguments)
            return try connection.run(sql, arguments)
        }

        func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
            note(sql, arguments)
            return try connection.rows(sql, arguments)
        }
    }
}
