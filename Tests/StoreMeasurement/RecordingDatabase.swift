// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase
import Synchronization

/// A database that counts transactions, statements and commits. It records
/// the arguments of each statement's first execution, or whole transactions.
package final class RecordingDatabase: Database {
    private struct Recorded {
        var count = Count()
        var first: [String: [any DatabaseValueConvertible & Sendable]] = [:]
        /// `nil` while no transactions are recorded.
        var transactions: [RecordedTransaction]?
    }

    private let engine: any Database
    private let keepsFirst: Bool
    private let recorded = Mutex(Recorded())

    /// Numbers since the database was opened.
    package struct Count: Hashable, Sendable, CustomStringConvertible {
        /// The transactions, reads and writes.
        package var transactions = 0
        /// The statements of their closures, without those that the engine
        /// adds.
        package var statements = 0
        /// The writes that succeeded.
        package var commits = 0

        /// Makes a count.
        package init(transactions: Int = 0, statements: Int = 0, commits: Int = 0) {
            self.transactions = transactions
            self.statements = statements
            self.commits = commits
        }

        package static func - (left: Count, right: Count) -> Count {
            Count(
                transactions: left.transactions - right.transactions, statements: left.statements - right.statements,
                commits: left.commits - right.commits)
        }

        package var description: String { "\(transactions) transactions, \(statements) statements, \(commits) commits" }
    }

    /// Records the statements of another database. Without `keepsFirst` it
    /// counts only, which costs a statement no more than a lock.
    package init(_ engine: any Database, keepsFirst: Bool = true) {
        self.engine = engine
        self.keepsFirst = keepsFirst
    }

    /// The statements with the arguments of their first execution.
    package var statements: [String: [any DatabaseValueConvertible & Sendable]] { recorded.withLock { $0.first } }
    /// The numbers until now.
    package var count: Count { recorded.withLock { $0.count } }
    package var load: DatabaseLoad { engine.load }

    /// Returns the transactions that end without an error while a closure
    /// runs. The writes of SQLite are in the order in which they were run.
    package func transactions(during body: () async throws -> Void) async throws -> [RecordedTransaction] {
        recorded.withLock { $0.transactions = [] }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        let transactions = recorded.withLock { recorded in
            defer { recorded.transactions = nil }
            return recorded.transactions ?? []
        }
        try result.get()
        return transactions
    }

    @discardableResult
    package func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await committing {
            try await engine.write(rows, isUrgent: isUrgent) { [self] in try record(.write(rows), $0, body) }
        }
    }

    package func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        recorded.withLock { $0.count.transactions += 1 }
        return try await engine.read(isUrgent: isUrgent) { [self] in try record(.read, $0, body) }
    }

    @discardableResult
    package func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        recorded.withLock { $0.count.transactions += 1 }
        let result = try engine.writeAndWait { [self] in try record(.write(.all), $0, body) }
        recorded.withLock { $0.count.commits += 1 }
        return result
    }

    package func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        recorded.withLock { $0.count.transactions += 1 }
        return try engine.readAndWait { [self] in try record(.read, $0, body) }
    }

    package func close() throws { try engine.close() }

    private func committing<T>(_ write: () async throws -> T) async throws -> T {
        recorded.withLock { $0.count.transactions += 1 }
        let result = try await write()
        recorded.withLock { $0.count.commits += 1 }
        return result
    }

    /// Runs a closure on a connection that records. A run that throws is
    /// counted and leaves no transaction: it changes nothing.
    private func record<T>(
        _ kind: RecordedTransaction.Kind, _ connection: any Connection, _ body: (any Connection) throws -> T
    ) throws -> T {
        let keepsAll = recorded.withLock { $0.transactions != nil }
        let recording = Recording(connection, keepsAll: keepsAll) { [self] in note($0, $1) }
        let result = try body(recording)
        if keepsAll {
            let transaction = RecordedTransaction(kind: kind, statements: recording.statements)
            recorded.withLock { $0.transactions?.append(transaction) }
        }
        return result
    }

    private func note(_ sql: String, _ arguments: [any DatabaseValueConvertible]) {
        guard keepsFirst else { return recorded.withLock { $0.count.statements += 1 } }
        let values = arguments.map(\.databaseValue)
        recorded.withLock { recorded in
            recorded.count.statements += 1
            recorded.first[sql] = recorded.first[sql] ?? values
        }
    }

    private final class Recording: Connection {
        private(set) var statements: [RecordedTransaction.Statement] = []
        private let connection: any Connection
        private let keepsAll: Bool
        private let note: (String, [any DatabaseValueConvertible]) -> Void

        init(
            _ connection: any Connection, keepsAll: Bool,
            note: @escaping (String, [any DatabaseValueConvertible]) -> Void
        ) {
            self.connection = connection
            self.keepsAll = keepsAll
            self.note = note
        }

        func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
            keep(sql, arguments)
            return try connection.run(sql, arguments)
        }

        func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
            keep(sql, arguments)
            return try connection.rows(sql, arguments)
        }

        private func keep(_ sql: String, _ arguments: [any DatabaseValueConvertible]) {
            note(sql, arguments)
            guard keepsAll else { return }
            statements.append(.init(sql: sql, arguments: arguments.map(\.databaseValue)))
        }
    }
}
