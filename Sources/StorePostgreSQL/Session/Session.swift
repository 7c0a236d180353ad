// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// A libpq connection in pipeline mode. One thread uses it at a time.
final class Session {
    /// Above this number of statements all prepared ones are dropped. Only
    /// statements with values in their text reach it.
    private static let statementLimit = 500

    let canceller: Canceller

    /// Identifies the server and its current run: a session can look up the
    /// transaction numbers of sessions with the same mark. `nil` when the user
    /// isn't allowed to read it.
    var mark: String?

    private(set) var isLost = false

    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var preparedCount = 0
    /// Whether the reply to the last command wasn't received.
    private var isOwedReply = false

    /// Takes ownership of an open connection.
    init(_ connection: OpaquePointer) {
        self.connection = connection
        canceller = Canceller(connection)
        // The default processor writes notices to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        isLost = PQenterPipelineMode(connection) != 1
    }

    deinit { PQfinish(connection) }

    /// Performs the commands in their order, in one round trip.
    ///
    /// - Throws: ``Failure``.
    func perform(_ commands: [Command]) throws -> [Reply] {
        try send(commands)
        return try receive(commands.count)
    }

    /// Sends the commands without waiting. Call ``receive(_:)`` next.
    func send(_ commands: [Command]) throws {
        if isOwedReply { receiveOwed() }
        guard !isLost else { throw Failure.lost("it was lost before") }
        for command in commands where !command.send(connection) {
            throw lost()
        }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
    }

    /// Sends a command whose success nothing depends on but the session: after
    /// a failure it isn't used again. The reply is received before the next
    /// commands are sent, so that no thread waits for it.
    func sendLast(_ command: Command) {
        guard (try? send([command])) != nil else { return }
        isOwedReply = true
    }

    private func receiveOwed() {
        isOwedReply = false
        if (try? receive(1)) == nil { discard() }
    }

    /// Waits for the replies to the commands that were sent.
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
        // The sync message ends the round trip. After it the server accepts
        // commands again, even after an error.
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

    /// Marks the session as lost, so that it isn't used again.
    func discard() { isLost = true }
}

extension Session {
    /// Returns the statement for a text, from the cache if it is there.
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
