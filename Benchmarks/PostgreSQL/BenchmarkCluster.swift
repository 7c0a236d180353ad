// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import Foundation
import StoreDatabase
import StoreDomain
import StorePostgreSQL

/// The cluster that `scripts/bench` has started, which flushes commits as in
/// production, and PostgreSQL's own benchmark on it.
struct BenchmarkCluster: Sendable {
    private let url: String
    private let pgbench: Tool

    /// The length of one round of pgbench.
    private static let seconds = 4

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["OPENSTOREKIT_POSTGRES"], let pgbench = environment["OPENSTOREKIT_PGBENCH"] else {
            throw BenchmarkFailure(
                "There is no PostgreSQL cluster: scripts/bench starts one where initdb is installed.")
        }
        self.url = url
        self.pgbench = Tool(path: pgbench)
    }

    func open(connections: Int) throws -> PostgreSQLDatabase {
        var options = PostgreSQLDatabase.Options(accountLock: Schema.accountLock)
        options.connections = connections
        return try PostgreSQLDatabase(url: url, options: options, random: SystemRandomNumberGenerator())
    }

    /// Fills the tables of pgbench's TPC-B with a branch for each client. With
    /// fewer branches the clients would wait for each other's rows.
    func prepareTPCB(clients: Int) async throws {
        _ = try await pgbench.run(["--initialize", "--quiet", "--scale", "\(clients)", url])
    }

    /// The transactions per second of pgbench's TPC-B.
    func tpcb(clients: Int) async throws -> Double {
        try await transactions(clients: clients, ["--builtin", "tpcb-like"])
    }

    /// The transactions per second of a script.
    func transactions(clients: Int, script: URL) async throws -> Double {
        try await transactions(clients: clients, ["--file", script.path])
    }

    /// Uses prepared statements, as StorePostgreSQL does.
    private func transactions(clients: Int, _ arguments: [String]) async throws -> Double {
        let text = try await pgbench.run(
            [
                "--no-vacuum", "--protocol", "prepared", "--client", "\(clients)", "--jobs", "2", "--time",
                "\(Self.seconds)",
            ] + arguments + [url])
        let line = text.split(separator: "\n").first { $0.hasPrefix("tps = ") }
        guard let rate = line?.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }) else {
            throw BenchmarkFailure("pgbench tells no rate: \(text)")
        }
        return rate
    }
}
#endif
