// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreCore

/// A libpq connection that listens to notifications. One thread uses it.
///
/// Every call returns within ``deadline``, so that a server that doesn't
/// answer can't stop the thread.
final class ListeningConnection {
    /// The longest time for one statement.
    private static let deadline: Duration = .seconds(10)

    private let connection: OpaquePointer
    private let process: Int32

    /// Takes ownership of an open connection.
    init(_ connection: OpaquePointer) {
        self.connection = connection
        process = PQbackendPID(connection)
        // The default processor writes notices to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// Listens to a channel; `false` when the connection is lost.
    func begin(_ channel: String) -> Bool {
        perform("SET synchronous_commit = off") && perform("LISTEN \(channel)")
    }

    /// Sends a text to the listeners of a channel; `false` when the connection
    /// is lost.
    func notify(_ channel: String, _ text: String) -> Bool {
        perform("SELECT pg_notify($1, $2)", [channel, text])
    }

    /// Whether the server still answers.
    func isAnswered() -> Bool { perform("SELECT 1") }

    /// Passes on the texts that have arrived from other connections; `false`
    /// when the connection is lost.
    func receive(_ received: (String) -> Void) -> Bool {
        guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { return false }
        while let notification = PQnotifies(connection) {
            defer { PQfreemem(notification) }
            guard notification.pointee.be_pid != process, let text = notification.pointee.extra else { continue }
            received(String(cString: text))
        }
        return true
    }

    /// Waits for data of the server or a wake-up; `false` when there was
    /// neither in time.
    func wait(or pipe: PollPipe, for duration: Duration) -> Bool {
        var descriptors = [
            pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&descriptors, 2, Int32(clamping: duration.milliseconds)) != 0
    }

    /// Performs a statement with texts for its parameters; `false` when it
    /// fails, or isn't answered in time.
    private func perform(_ sql: String, _ arguments: [String] = []) -> Bool {
        guard send(sql, arguments) else { return false }
        let end = ContinuousClock.now + Self.deadline
        var isDone = true
        while true {
            while PQisBusy(connection) == 1 {
                guard waitForData(until: end), PQconsumeInput(connection) == 1 else { return false }
            }
            guard let result = PQgetResult(connection) else { return isDone }
            let status = PQresultStatus(result)
            PQclear(result)
            if status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK { isDone = false }
        }
    }

    private func send(_ sql: String, _ arguments: [String]) -> Bool {
        // libpq copies the texts before the call returns.
        let texts = arguments.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { $0.map { UnsafePointer($0) } }
        return PQsendQueryParams(connection, sql, Int32(pointers.count), nil, pointers, nil, nil, 0) == 1
    }

    private func waitForData(until end: ContinuousClock.Instant) -> Bool {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, Int32(clamping: (end - ContinuousClock.now).milliseconds.clamped)) > 0
    }
}

extension Int64 {
    /// No less than 0, which `poll` would take for "without a limit".
    fileprivate var clamped: Int64 { Swift.max(0, self) }
}
