// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

/// A database that records every statement, with the arguments of its first
/// execution.
final class RecordingDatabase: Database {
    private let engine: any Database
    private let noted = Mutex<[String: [any DatabaseValueConvertible & Sendable]]>([:])

    init(_ engine: any Database) {
        self.engine = engine
    }

    var statements: [String: [any DatabaseValueConvertible & Sendable]] { noted.withLock { $0 } }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await engine.write { [self] in try body(Recording(connection: $0, note: note)) }
    }

    @discardableResult
    func write<T: Sendable>(
        for account: String, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.write(for: account) { [self] in try body(Recording(connection: $0, note: note)) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) async throws -> T {
        try await engine.read { [self] in try body(Recording(connection: $0, note: note)) }
    }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.write { [self] in try body(Recording(connection: $0, note: note)) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.read { [self] in try body(Recording(connection: $0, note: note)) }
    }

    func close() throws { try engine.close() }

    private func note(_ sql: String, _ arguments: [any DatabaseValueConvertible]) {
        let values = arguments.map(\.databaseValue)
        noted.withLock { $0[sql] = $0[sql] ?? values }
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
