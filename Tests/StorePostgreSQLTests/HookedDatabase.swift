// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Synchronization

/// A database that runs code of a test before a statement of its writes of
/// some scopes.
final class HookedDatabase: PassingDatabase {
    private struct Plan {
        var prefix: String
        var statementsBefore: Int
        var action: @Sendable () throws -> Void
    }

    let engine: any Database
    private let isHooked: @Sendable (WriteScope) -> Bool
    private let plan = Mutex<Plan?>(nil)

    init(_ engine: any Database, in isHooked: @escaping @Sendable (WriteScope) -> Bool) {
        self.engine = engine
        self.isHooked = isHooked
    }

    /// Sets the code that runs once, before the statement at a place among
    /// those that begin with a text.
    func before(
        _ prefix: String = "", at place: Int = 0, _ action: @escaping @Sendable () throws -> Void
    ) {
        plan.withLock { $0 = Plan(prefix: prefix, statementsBefore: place, action: action) }
    }

    /// Removes the code if it hasn't run.
    func cancel() { plan.withLock { $0 = nil } }

    private func reach(_ sql: String) throws {
        // The code runs outside of the lock, which the next statement needs.
        let action = plan.withLock { plan -> (@Sendable () throws -> Void)? in
            guard let due = plan, sql.hasPrefix(due.prefix) else { return nil }
            plan?.statementsBefore -= 1
            guard due.statementsBefore == 0 else { return nil }
            plan = nil
            return due.action
        }
        try action?()
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        guard isHooked(rows) else { return try await engine.write(rows, isUrgent: isUrgent, body) }
        return try await engine.write(rows, isUrgent: isUrgent) { [self] in
            try body(Hooked(connection: $0, reach: reach))
        }
    }

    private struct Hooked: Connection {
        let connection: any Connection
        let reach: (String) throws -> Void

        func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
            try reach(sql)
            return try connection.run(sql, arguments)
        }

        func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
            try reach(sql)
            return try connection.rows(sql, arguments)
        }
    }
}
