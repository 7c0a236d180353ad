// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// One connection of libpq, in pipeline mode. Used by one thread at a time.
final class Session {
    /// Statements beyond this number make room by dropping all: somebody puts
    /// values into the text.
    private static let statementLimit = 500

    let canceller: Canceller

    /// Which server this is and in which life of it: two sessions with the
    /// same mark can ask each other's transaction numbers. `nil` when the
    /// server doesn't tell.
    var mark: String?

    private(set) var isLost = false

    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var preparedCount = 0

    /// Takes over a connection that has been opened.
    init(_ connection: OpaquePointer) {
        self.connection = connection
        canceller = Canceller(connection)
        // The default writes to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        isLost = PQenterPipelineMode(connection) != 1
    }

    deinit { PQfinish(connection) }

    /// Does the commands, in their order, in one round trip.
    ///
    /// - Throws: ``Failure``.
    func perform(_ commands: [Command]) throws -> [Reply] {
        try send(commands)
        return try receive(commands.count)
    }

    /// The half that doesn't wait; ``receive(_:)`` has to follow.
    func send(_ commands: [Command]) throws {
        guard !isLost else { throw Failure.lost("it was lost before") }
        for command in commands where !command.send(connection) {
            throw lost()
        }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
    }

    /// Waits for the answers to what was sent.
    func receive(_ count: Int) throws -> [Reply] {
        var replies: [Reply] = []
        var refused: Failure?
        var unreadable: Failure?
        for command in 0..<count {
            var reply = Reply()
            while let result = PQgetResult(connection) {
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    do {
                        reply = try Reply(result)
                    } catch let error as DatabaseError {
                        unreadable = .unreadable(error)
                    }
                case PGRES_PIPELINE_ABORTED: break
                default:
                    let error = ServerError(result)
                    if error.isFatal || PQstatus(connection) == CONNECTION_BAD { throw lost(error.message) }
                    refused = refused ?? .refused(error, command: command)
                }
            }
            replies.append(reply)
        }
        // The end of the round trip, after which the server goes on in spite
        // of an error.
        guard let end = PQgetResult(connection) else { throw lost() }
        defer { PQclear(end) }
        guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost() }
        if let failure = refused ?? unreadable { throw failure }
        return replies
    }

    private func lost(_ message: String? = nil) -> Failure {
        isLost = true
        let message = message ?? String(cString: PQerrorMessage(connection))
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return .lost(line.isEmpty ? "the server closed the connection" : line)
    }

    /// Never use this connection again.
    func discard() { isLost = true }
}

extension Session {
    /// What is known of a statement's text, looked at once.
    func statement(_ sql: String) -> Statement {
        if let known = statements[sql] { return known }
        let statement = Statement(sql)
        if statement.isPrepared { statements[sql] = statement }
        return statement
    }

    /// The commands that run a statement, preparing it first where needed.
    func plan(_ statement: Statement, _ parameters: Parameters) -> Plan {
        guard statement.isPrepared else {
            return Plan(statement: statement, commands: [.text(statement.sql, parameters)])
        }
        if let name = statement.prepared(for: parameters.types) {
            return Plan(statement: statement, commands: [.execute(name: name, parameters)])
        }
        var commands: [Command] = []
        if statements.count > Self.statementLimit {
            commands.append(.text("DEALLOCATE ALL"))
            statement.forget()
            statements = [statement.sql: statement]
        }
        preparedCount += 1
        let new = Statement.Prepared(name: "store\(preparedCount)", types: parameters.types)
        commands.append(.prepare(statement.sql, name: new.name, types: new.types))
        commands.append(.execute(name: new.name, parameters))
        return Plan(statement: statement, commands: commands, new: new)
    }
}
