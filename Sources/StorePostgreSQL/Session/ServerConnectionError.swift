// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import StoreDatabase

/// A failure to open a connection.
struct ServerConnectionError: Error {
    /// The error for the caller.
    let error: DatabaseError

    /// Whether a later attempt may succeed: the server restarts, or a standby
    /// becomes the primary.
    let isTransient: Bool

    /// Makes a failure from libpq's verbose message: only that contains the
    /// SQLSTATE of a failed connection.
    init(_ message: String, address: ServerAddress, needsPassword: Bool) {
        let said = Self.readable(address.redact(message))
        let name = address.name
        func failure(_ remedy: String, _ code: DatabaseError.Code = .unreachable, isTransient: Bool) -> Self {
            Self(error: DatabaseError(code, "\(remedy) (\(said))"), isTransient: isTransient)
        }
        self =
            switch Self.state(in: message) {
            case "28P01":
                failure(
                    "\(name) refuses the password. Check the user's password in the database's URL, or in ~/.pgpass.",
                    isTransient: false)
            case "28000":
                failure(
                    "\(name) doesn't let this user in. Add a line for user, database and host to the server's "
                        + "pg_hba.conf, or check the user's name in the URL.", isTransient: false)
            case "3D000":
                failure(
                    "\(name): there is no such database. Make it with createdb, or check its name.", isTransient: false)
            case "42501":
                failure(
                    "\(name): the user may not connect to this database. GRANT CONNECT ON DATABASE … TO the user.",
                    isTransient: false)
            case "53300":
                failure(
                    "\(name) has no connection left. Raise max_connections of the server, or give this process fewer.",
                    isTransient: true)
            case "57P03":
                failure("\(name) is starting or stopping. Try again in a moment.", isTransient: true)
            case .some:
                failure("\(name) refused the connection.", isTransient: true)
            case nil where needsPassword:
                failure(
                    "\(name) wants a password. Put it into the database's URL, or into ~/.pgpass.", isTransient: false)
            case nil where message.contains("received invalid response") || message.contains("expected authentication"):
                failure(
                    "\(name) isn't a PostgreSQL server. Check host and port.", .notADatabase, isTransient: false)
            case nil where message.contains("read-only") || message.contains("hot standby"):
                failure(
                    "\(name) is a standby and can't be written. Name all hosts in the URL, separated by commas, so that "
                        + "the one that takes writes is found.", .readOnly, isTransient: true)
            case nil where message.contains("SSL") || message.contains("certificate"):
                failure(
                    "\(name): no trusted TLS connection could be made. Check sslmode and sslrootcert in the URL.",
                    isTransient: false)
            case nil:
                failure(
                    "\(name) can't be reached. Start the server, or check host and port in the URL.", isTransient: true)
            }
    }

    /// Makes a failure that a later attempt doesn't fix.
    init(_ error: DatabaseError) {
        self.init(error: error, isTransient: false)
    }

    private init(error: DatabaseError, isTransient: Bool) {
        self.error = error
        self.isTransient = isTransient
    }

    /// The last SQLSTATE in a verbose message: `… failed: FATAL:  28P01: …`.
    /// The server translates the words, but not the two spaces and the code.
    private static func state(in message: String) -> String? {
        message.matches(of: /:\s\s([0-9A-Z]{5}):\s/).last.map { String($0.1) }
    }

    /// The message in one line, without the location in the server's source.
    private static func readable(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .filter { !$0.hasPrefix("LOCATION:") }
            .joined(separator: " ")
    }
}
