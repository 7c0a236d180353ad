// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import Foundation
import StoreDatabase
import StoreDomain
import StorePostgreSQL

/// The cluster that `scripts/bench` has started, which flushes commits as in
/// production, and PostgreSQL's own benchmark on it.
struct BenchmarkCluster: Sendable {
    private var url: String
    private let pgbench: Tool
    /// PostgreSQL's client, which is in the same folder.
    private let psql: Tool

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
        psql = Tool(path: URL(fileURLWithPath: pgbench).deletingLastPathComponent().appending(path: "psql").path)
    }

    /// Runs a closure with an empty database of the cluster, and removes the
    /// database afterwards: a row doesn't find the rows of another one.
    func withDatabase<T: Sendable>(_ body: (BenchmarkCluster) async throws -> T) async throws -> T {
        guard let slash = url.lastIndex(of: "/") else { throw BenchmarkFailure("\(url) names no database.") }
        let name = "bench_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        var cluster = self
        cluster.url = "\(url[...slash])\(name)"
        try await execute("CREATE DATABASE \(name)")
        let result: Result<T, any Error>
        do { result = .success(try await body(cluster)) } catch { result = .failure(error) }
        try await execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        return try result.get()
    }

    private func execute(_ sql: String) async throws {
        _ = try await psql.run(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--command", sql, url])
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

    /// How often a script runs per second. It may use variables.
    func transactions(
        clients: Int, script: URL, variables: [(name: String, value: String)] = []
    ) async throws -> Double {
        let defined = variables.flatMap { ["--define", "\($0.name)=\($0.value)"] }
        return try await transactions(clients: clients, ["--file", script.path] + defined)
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
