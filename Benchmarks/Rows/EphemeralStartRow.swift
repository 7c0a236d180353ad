// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The start of a store that exists for one run of tests, until it is ready.
struct EphemeralStartRow: Row {
    static let name = "ephemeral-start"
    static let summary =
        "starts of `storectl serve --ephemeral` until `/readyz` answers, against one a second"

    static func compare() async throws -> Comparison {
        try await Comparison(
            Side("starts", operations: 1) { try await start() }, against: Side("starts") { 1 })
    }

    /// The line that the store prints when it is ready.
    private struct Facts: Decodable {
        var address: String
    }

    private static func start() async throws {
        let process = Process()
        // Beside the benchmarks: both are built for the release.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "storectl")
        process.arguments = ["serve", "--ephemeral", "--json", "--listen", "127.0.0.1:0"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let printed = try await onThreads(1) { _ in Self.line(of: output.fileHandleForReading) }[0]
        let facts = try JSONDecoder().decode(Facts.self, from: printed)
        guard let port = URL(string: facts.address)?.port else {
            throw BenchmarkFailure("The store is at \(facts.address), which has no port.")
        }
        _ = try await Load(path: "/readyz", body: nil).answer(at: port)
    }

    private static func line(of file: FileHandle) -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let read = file.availableData
            guard !read.isEmpty else { break }
            line.append(read)
        }
        return line
    }
}

/// The making of an authority's keys, which an ephemeral store does beside the
/// rest of its start.
struct AuthorityKeysRow: Row {
    static let name = "authority-keys"
    static let summary =
        "new authorities in memory, with both chains, against making three keys by `openssl genrsa 2048`"

    static func compare() async throws -> Comparison {
        try await Comparison(
            Side("authorities", operations: 1) {
                var generator = SystemRandomNumberGenerator()
                _ = try SigningAuthority.create(using: &generator)
            },
            against: Side("triples", operations: 1) {
                for _ in 0..<3 { _ = try await Tool(path: "openssl").run(["genrsa", "2048"]) }
            })
    }
}
