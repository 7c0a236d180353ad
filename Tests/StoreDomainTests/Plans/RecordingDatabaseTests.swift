// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreMeasurement
import StoreTestSupport
import Testing

/// The recorder whose transactions the benchmarks replay.
struct RecordingDatabaseTests {
    private struct Refused: Error {}

    @Test("Transactions are recorded in their order, with the arguments of each statement", arguments: Engine.stores)
    func transactions(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database, keepsFirst: false)
            try await recorder.write { _ = try $0.run("CREATE TABLE pear (id TEXT PRIMARY KEY, size BIGINT)") }

            let recorded = try await recorder.transactions {
                for (id, size) in [("a", 1), ("b", 2)] {
                    try await recorder.write(.key(id)) { connection in
                        _ = try connection.run("INSERT INTO pear (id, size) VALUES ($1, $2)", [id, size])
                    }
                }
                _ = try await recorder.read { try $0.row("SELECT size FROM pear WHERE id = $1", ["b"]) }
            }

            #expect(recorded.map(\.kind) == [.write(.key("a")), .write(.key("b")), .read])
            #expect(recorded.map(\.isWrite) == [true, true, false])
            #expect(
                recorded.flatMap(\.statements).map(\.arguments) == [
                    [.text("a"), .integer(1)], [.text("b"), .integer(2)], [.text("b")],
                ])
        }
    }

    @Test("A transaction that fails isn't recorded, and none is without being asked for", arguments: Engine.stores)
    func failure(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database, keepsFirst: false)
            try await recorder.write { _ = try $0.run("CREATE TABLE pear (id TEXT PRIMARY KEY)") }
            let before = recorder.count

            let recorded = try await recorder.transactions {
                await #expect(throws: Refused.self) {
                    try await recorder.write { connection in
                        _ = try connection.run("INSERT INTO pear (id) VALUES ($1)", ["a"])
                        throw Refused()
                    }
                }
            }
            try await recorder.write { _ = try $0.run("INSERT INTO pear (id) VALUES ($1)", ["b"]) }

            #expect(recorded.isEmpty)
            #expect(recorder.statements.isEmpty)
            #expect(recorder.count - before == .init(transactions: 2, statements: 2, commits: 1))
            #expect(try await recorder.transactions {}.isEmpty)
        }
    }
}
