// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreCore
import StoreDatabase

extension SessionOpening {
    /// Connects with libpq, which tries each host and address of the URL in
    /// turn, each with its timeout.
    ///
    /// - Throws: ``ServerConnectionError``.
    func connect() throws -> OpaquePointer {
        guard let connection = withKeywords({ PQconnectdbParams($0, $1, 1) }) else {
            throw ServerConnectionError(DatabaseError(.unreachable, "There is no memory for a connection."))
        }
        guard PQstatus(connection) != CONNECTION_OK else { return connection }
        let message = String(cString: PQerrorMessage(connection))
        let needsPassword = PQconnectionNeedsPassword(connection) == 1
        PQfinish(connection)
        return try connectVerbosely(after: message, needsPassword: needsPassword)
    }

    /// Connects again to find the reason. libpq includes the SQLSTATE of a
    /// failed connection only in a verbose message, and accepts that setting
    /// only on a connection that it opens without blocking.
    private func connectVerbosely(after message: String, needsPassword: Bool) throws -> OpaquePointer {
        func failure(_ message: String) -> ServerConnectionError {
            ServerConnectionError(message, address: address, needsPassword: needsPassword)
        }
        guard let connection = withKeywords({ PQconnectStartParams($0, $1, 1) }) else { throw failure(message) }
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        let deadline = ContinuousClock.now + options.connectTimeout
        var status = PGRES_POLLING_WRITING
        while status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING {
            let left = Int32(clamping: (deadline - ContinuousClock.now).milliseconds)
            var socket = pollfd(
                fd: PQsocket(connection), events: Int16(status == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            guard PQstatus(connection) != CONNECTION_BAD, left > 0, poll(&socket, 1, left) >= 0 else { break }
            status = PQconnectPoll(connection)
        }
        guard status != PGRES_POLLING_OK else { return connection }
        let verbose = status == PGRES_POLLING_FAILED ? String(cString: PQerrorMessage(connection)) : message
        PQfinish(connection)
        throw failure(verbose)
    }

    /// Calls the closure with libpq's parameters. The URL overrides those
    /// listed before it, not those after it.
    private func withKeywords(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> OpaquePointer?
    ) -> OpaquePointer? {
        let keywords = [
            ("fallback_application_name", "openstorekit"),
            ("connect_timeout", "\(max(1, options.connectTimeout.components.seconds))"),
            ("target_session_attrs", "read-write"),
            // A server that has disappeared is detected within a minute.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
            ("dbname", address.url),
            ("client_encoding", "UTF8"),
        ]
        let names = CStrings(keywords.map(\.0))
        let values = CStrings(keywords.map(\.1))
        return names.withPointers { names in values.withPointers { values in body(names, values) } }
    }
}

/// An array of C strings, terminated by a null pointer.
private struct CStrings {
    private let bytes: [CChar]
    private let offsets: [Int]

    init(_ strings: [String]) {
        var bytes: [CChar] = []
        offsets = strings.map { string in
            defer { bytes += string.utf8CString }
            return bytes.count
        }
        self.bytes = bytes
    }

    func withPointers<T>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T) -> T {
        bytes.withUnsafeBufferPointer { bytes in
            body(offsets.map { bytes.baseAddress?.advanced(by: $0) } + [nil])
        }
    }
}
