// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import CStorePostgreSQL
import Foundation
import StorePostgreSQL
import Synchronization

/// The cluster that the tests run against: `scripts/postgres run` makes one
/// and sets `OPENSTOREKIT_POSTGRES` to its URL.
package enum TestCluster {
    /// `nil` without a cluster; the tests that need one are skipped then.
    package static let url: String? = {
        let url = ProcessInfo.processInfo.environment["OPENSTOREKIT_POSTGRES"]
        if url == nil {
            let message = "SKIPPED: PostgreSQL. Run the tests by scripts/postgres run --no-fsync swift test\n"
            FileHandle.standardError.write(Data(message.utf8))
        }
        return url
    }()

    /// Makes a database and returns its URL. It is empty, or a copy of one that
    /// has no connections.
    package static func makeDatabase(copying original: String? = nil) throws -> String {
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        let template = original.map { " TEMPLATE \(self.name(in: $0))" } ?? ""
        try execute("CREATE DATABASE \(name)\(template)\(copiesFiles ? " STRATEGY file_copy" : "")")
        return try self.url(of: name)
    }

    /// Whether a new database's files are to be copied, without the log of all
    /// their pages, which takes twice the processor time. It is the only way of
    /// versions before 15, which have no word for it.
    private static let copiesFiles = (try? number("SHOW server_version_num")).map { $0 >= 150_000 } ?? false

    /// Removes a database that ``makeDatabase(copying:)`` made.
    package static func removeDatabase(_ url: String) throws {
        try execute("DROP DATABASE IF EXISTS \(name(in: url)) WITH (FORCE)")
    }

    private static func name(in url: String) -> Substring { url.split(separator: "/").last ?? "" }

    /// Runs a command as the owner of the cluster, outside any transaction.
    package static func execute(_ sql: String, at url: String? = nil) throws {
        _ = try answer(to: sql, at: url)
    }

    /// Runs a query as the owner of the cluster; returns the number in its
    /// answer.
    package static func number(_ sql: String, at url: String? = nil) throws -> Int {
        guard let number = Int(try answer(to: sql, at: url)) else { throw Missing() }
        return number
    }

    private struct Administration: @unchecked Sendable {  // because one command at a time uses it
        let connection: OpaquePointer?
    }

    /// The connections of the cluster's owner that no command uses now: each
    /// test makes a database and removes it, and each connection is a process
    /// of the server.
    private static let unused = Mutex<[Administration]>([])

    private static func answer(to sql: String, at url: String?) throws -> String {
        if let url { return try answer(to: sql, Administration(connection: PQconnectdb(url)), isKept: false) }
        guard let own = self.url else { throw Missing() }
        let kept = unused.withLock { $0.popLast() }
        return try answer(to: sql, kept ?? Administration(connection: PQconnectdb(own)), isKept: true)
    }

    private static func answer(to sql: String, _ administration: Administration, isKept: Bool) throws -> String {
        let connection = administration.connection
        defer {
            if isKept, PQstatus(connection) == CONNECTION_OK {
                unused.withLock { $0.append(administration) }
            } else {
                PQfinish(connection)
            }
        }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            throw Refused(message: String(cString: PQerrorMessage(connection)))
        }
        return PQntuples(result) > 0 ? String(cString: PQgetvalue(result, 0, 0)) : ""
    }

    /// The URL of a database of the cluster.
    package static func url(of name: String) throws -> String {
        guard let url, let slash = url.lastIndex(of: "/") else { throw Missing() }
        return "\(url[...slash])\(name)"
    }

    private struct Missing: Error {}
    private struct Refused: Error { let message: String }
}
#endif
