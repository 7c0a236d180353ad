// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// libpq's connection, speaking our language, for one run of a closure.
///
/// After an error PostgreSQL takes no statement until the transaction is
/// undone. A savepoint before each statement would prevent that, and make
/// every statement dearer; so the closure runs without, and only one that
/// goes on after an error runs again, carefully, with savepoints.
final class PostgreSQLConnection: Connection {
    /// What makes what the closure did, or still does, worthless.
    enum Spoiled {
        /// The connection is gone.
        case lost(String)
        /// Other transactions were in the way.
        case conflict(DatabaseError)
        /// A table has changed since a statement was prepared.
        case stalePlan
        /// The closure changes the schema and doesn't hold its lock.
        case schemaUnlocked
        /// A statement failed in a transaction without savepoints.
        case failed(DatabaseError)
    }

    private let session: Session
    private let manner: Manner
    private let errors: PostgreSQLErrors

    private(set) var hasBegun = false
    private(set) var spoiled: Spoiled?
    /// The closure went on after it was spoiled.
    private(set) var wentOn = false
    /// The transaction's number, with which to ask what became of it.
    private(set) var transactionNumber: String?

    init(_ session: Session, manner: Manner, errors: PostgreSQLErrors) {
        self.session = session
        self.manner = manner
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
        if statement.changesSchema, manner.access == .write, !manner.holdsSchemaLock {
            throw spoil(.schemaUnlocked)
        }
        return try perform(session.plan(statement, parameters))
    }

    /// One round trip: what begins the transaction, if this is its first
    /// statement, the savepoint, if there is one, and the statement.
    private func perform(_ plan: Plan) throws -> Reply {
        let opening = hasBegun ? [] : try manner.opening.map { session.plan(session.statement($0.sql), $0.parameters) }
        let begin = hasBegun ? [] : [Command.text(manner.begin)]
        let before = begin + opening.flatMap(\.commands) + (manner.isCareful ? [.text("SAVEPOINT statement")] : [])
        let commands = before + plan.commands + (manner.isCareful ? [.text("RELEASE statement")] : [])
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

    /// Makes of a failed round trip the error that the closure gets.
    private func spoil(_ failure: Failure, _ plan: Plan, at start: Int) -> DatabaseError {
        switch failure {
        case .lost(let message):
            return spoil(.lost(message))
        case .unreadable(let error):
            return error
        case .refused(let error, let command):
            if command == start + plan.commands.count - 1 { plan.remember() }
            let isClosures = command >= start
            let mapped = errors.map(error, access: manner.access, sql: isClosures ? plan.statement.sql : nil)
            // So a standby puts it when a write begins.
            if !isClosures, error.state == "0A000" { return spoil(.failed(errors.standby)) }
            if error.isConflict { return spoil(.conflict(mapped)) }
            if error.isStalePlan { return spoil(.stalePlan) }
            guard manner.isCareful, isClosures else { return spoil(.failed(mapped)) }
            do {
                _ = try session.perform([.text("ROLLBACK TO statement"), .text("RELEASE statement")])
                return mapped
            } catch {
                return spoil(.lost("\(error)"))
            }
        }
    }

    private func spoil(_ reason: Spoiled) -> DatabaseError {
        spoiled = reason
        return error(of: reason)
    }

    private func error(of reason: Spoiled) -> DatabaseError {
        switch reason {
        case .lost(let message): errors.lost(message)
        case .conflict(let error), .failed(let error): error
        case .stalePlan, .schemaUnlocked: errors.lostTransaction
        }
    }
}
