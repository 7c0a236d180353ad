// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Synchronization

/// A database that counts the rows of each transaction, and refuses
/// statements on demand.
final class MeasuredDatabase: PassingDatabase {
    /// The rows that one transaction has read and changed.
    struct Transaction: Sendable {
        var isWrite: Bool
        var read = 0
        var changed = 0
    }

    private struct State {
        var transactions: [Transaction] = []
        var refused: String?
        /// How many of the refused statements run first.
        var allowed = 0
    }

    let engine: any Database
    private let state = Mutex(State())

    init(_ engine: any Database) {
        self.engine = engine
    }

    var transactions: [Transaction] { state.withLock { $0.transactions } }

    /// Makes statements that begin with a text fail, after a number of them.
    func refuse(_ beginning: String?, after count: Int = 0) {
        state.withLock {
            $0.refused = beginning
            $0.allowed = count
        }
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.write(rows, isUrgent: isUrgent) { [self] in try measure($0, isWrite: true, body) }
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.read(isUrgent: isUrgent) { [self] in try measure($0, isWrite: false, body) }
    }

    @discardableResult
    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.writeAndWait { [self] in try measure($0, isWrite: true, body) }
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.readAndWait { [self] in try measure($0, isWrite: false, body) }
    }

    private func measure<T>(
        _ connection: any Connection, isWrite: Bool, _ body: (any Connection) throws -> T
    ) throws -> T {
        let place = state.withLock { state in
            state.transactions.append(Transaction(isWrite: isWrite))
            return state.transactions.count - 1
        }
        return try body(Measuring(connection: connection, database: self, place: place))
    }

    private func check(_ sql: String) throws {
        try state.withLock { state in
            guard let refused = state.refused, sql.hasPrefix(refused) else { return }
            guard state.allowed == 0 else {
                state.allowed -= 1
                return
            }
            throw DatabaseError(.diskFull, "The test has filled the disk.")
        }
    }

    private struct Measuring: Connection {
        let connection: any Connection
        let database: MeasuredDatabase
        let place: Int

        func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
            try database.check(sql)
            let changed = try connection.run(sql, arguments)
            database.state.withLock { $0.transactions[place].changed += changed }
            return changed
        }

        func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
            try database.check(sql)
            let rows = try connection.rows(sql, arguments)
            database.state.withLock { $0.transactions[place].read += rows.count }
            return rows
        }
    }
}

extension Engine {
    /// Runs a test with a store whose database is measured.
    func withMeasuredStore(_ body: (TestStore, MeasuredDatabase) async throws -> Void) async throws {
        try await withDatabase(hasTables: true) { database in
            let measured = MeasuredDatabase(database)
            try await body(try await TestStore(measured), measured)
        }
    }
}
