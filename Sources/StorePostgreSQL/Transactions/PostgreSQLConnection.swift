// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// Adapts a session to ``Connection`` for one run of a closure.
///
/// After an error PostgreSQL rejects all statements until the transaction is
/// rolled back. A savepoint before each statement prevents that, but costs
/// time for each statement. The closure therefore runs without savepoints
/// first. If it continues after an error, or a write violates a unique index,
/// it runs again with savepoints.
final class PostgreSQLConnection: Connection {
    /// The reason why the results of the closure can't be used.
    enum FailureReason {
        /// The connection is lost.
        case lost(String)
        /// Another transaction conflicted.
        case conflict(DatabaseError)
        /// A table has changed since a statement was prepared.
        case stalePlan
        /// The closure changes the schema without its lock.
        case schemaUnlocked
        /// A statement failed in a transaction without savepoints.
        case failed(DatabaseError)
    }

    private let session: Session
    private let options: TransactionOptions
    private let errors: PostgreSQLErrors

    private(set) var hasBegun = false
    private(set) var spoiled: FailureReason?
    /// Whether the closure passed another statement after it was spoiled.
    private(set) var wentOn = false
    /// The transaction's number, by which the result of its commit is looked
    /// up.
    private(set) var transactionNumber: String?

    init(_ session: Session, options: TransactionOptions, errors: PostgreSQLErrors) {
        self.session = session
        self.options = options
        self.errors = errors
    }

    func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
        try perform(sql, arguments).changes
    }

    func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        try perform(sql, arguments).rows
    }

    private func perform(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Reply {
        let statement = session.statement(sql)
        if let spoiled {
            wentOn = true
            throw error(of: spoiled)
        }
        guard statement.parameterCount == arguments.count else {
            throw DatabaseError(.other, "\(arguments.count) arguments were given to the statement: \(sql)")
        }
        let parameters = try Parameters(arguments)
        if statement.changesSchema, options.access == .write, !options.holdsSchemaLock {
            throw spoil(.schemaUnlocked)
        }
        return try perform(session.plan(statement, parameters))
    }

    /// Performs one round trip: the beginning of the transaction, if this is
    /// its first statement, the savepoint, if there is one, and the statement.
    private func perform(_ plan: Plan) throws -> Reply {
        let opening = hasBegun ? [] : try options.opening.map { session.plan(session.statement($0.sql), $0.parameters) }
        let begin = hasBegun ? [] : [Command.text(options.begin)]
        let before =
            begin + opening.flatMap(\.commands) + (options.usesSavepoints ? [.text("SAVEPOINT statement")] : [])
        let commands = before + plan.commands + (options.usesSavepoints ? [.text("RELEASE statement")] : [])
        hasBegun = true
        do {
            let replies = try session.perform(commands)
            for opened in opening { opened.remember() }
            plan.remember()
            if let number = replies.prefix(before.count).lazy.compactMap({ $0.rows.first }).first {
                transactionNumber = transactionNumber ?? (try? number.get("transaction_number"))
            }
            return replies[before.count + plan.commands.count - 1]
        } catch let failure as Failure {
            throw spoil(failure, plan, at: before.count)
        }
    }

    /// Converts a failed round trip to the error that the closure receives.
    private func spoil(_ failure: Failure, _ plan: Plan, at start: Int) -> DatabaseError {
        switch failure {
        case .lost(let message):
            return spoil(.lost(message))
        case .unreadable(let error):
            return error
        case .refused(let error, let command):
            if command == start + plan.commands.count - 1 { plan.remember() }
            let isClosures = command >= start
            let mapped = errors.map(error, access: options.access, sql: isClosures ? plan.statement.sql : nil)
            // A standby reports this code when a write begins.
            if !isClosures, error.state == "0A000" { return spoil(.failed(errors.standby)) }
            if error.isConflict { return spoil(.conflict(mapped)) }
            if error.isStalePlan { return spoil(.stalePlan) }
            guard options.usesSavepoints, isClosures else { return spoil(.failed(mapped)) }
            do {
                _ = try session.perform([.text("ROLLBACK TO statement"), .text("RELEASE statement")])
                return mapped
            } catch {
                return spoil(.lost("\(error)"))
            }
        }
    }

    private func spoil(_ reason: FailureReason) -> DatabaseError {
        spoiled = reason
        return error(of: reason)
    }

    private func error(of reason: FailureReason) -> DatabaseError {
        switch reason {
        case .lost(let message): errors.lost(message)
        case .conflict(let error), .failed(let error): error
        case .stalePlan, .schemaUnlocked: errors.lostTransaction
        }
    }
}
