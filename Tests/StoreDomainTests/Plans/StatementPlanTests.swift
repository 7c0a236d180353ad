// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain
import StoreMeasurement
import StoreTestSupport
import Testing

/// A statement that reads a whole table is fast in every other test, and
/// takes too long in a store with years of sales.
@Suite(.timeLimit(.hang))
struct StatementPlanTests {
    /// How many purchases the store has. A hundred thousand are enough for a
    /// planner to choose an index; `make soak` has a million.
    private static let purchases =
        ProcessInfo.processInfo.environment["PLANNED_PURCHASES"].flatMap { Int($0) } ?? 100_000

    @Test(
        "Every statement of the source code runs in a store's life, and none reads a whole table of many purchases",
        arguments: Engine.stores)
    func plans(engine: Engine) async throws {
        var planned: [String: [any DatabaseValueConvertible]] = [:]
        try await engine.withDatabase { database in
            // Migrations may read whole tables, because each runs once.
            try await Schema.migrate(database)
            let recorder = RecordingDatabase(database)
            let life = StoreLife(store: try await TestStore(recorder), unrecorded: database)
            try await life.live()
            planned = recorder.statements.filter { $0.key.isPlanned }
            let ofLife = Self.statements(of: recorder)
            if !engine.isPostgreSQL { try await Self.checkWithoutStatistics(planned, database) }

            let copied = try await life.readWholeTables()
            let others = Self.statements(of: recorder).union(copied.filter(\.isStatement)).subtracting(ofLife)
            try Self.checkCoverage(of: ofLife, and: others)
        }
        try await engine.withDatabase(hasTables: true) { database in
            _ = try await TestStore(database)
            try await GrownStore(
                database, isPostgreSQL: engine.isPostgreSQL, purchases: Self.purchases, customers: 100_000
            ).fill()
            try await Self.checkPlans(planned, database, engine)
        }
    }

    /// Checks that the source code has each statement that ran, and that each
    /// of its statements ran: in the life of a store, or, if it reads whole
    /// tables, among the others.
    private static func checkCoverage(of life: Set<String>, and others: Set<String>) throws {
        let all = try SQLLiteral.ofStoreDomain()
        let literals = all.filter { !isOfTheAuthority($0) }
        #expect(literals.count > 80)

        let ofLife = StatementCoverage(of: life, by: literals)
        let missing = ofLife.missing.filter { literal in
            !StoreLife.wholeTables.contains { literal.place.hasPrefix($0) }
        }
        #expect(missing.isEmpty, "no statement of these ran: \(missing.map(\.place))")

        let ofOthers = StatementCoverage(of: others, by: ofLife.missing)
        for literal in ofOthers.missing {
            Issue.record("Sources/StoreDomain/\(literal.place): no operation of StoreLife runs this statement")
        }
        // The migrator's own statements are in StoreDatabase. The secrets of sellers are rows beside the authority's.
        let unknown = (ofLife.unknown + ofOthers.unknown).filter { statement in
            !statement.contains("schema_migration") && !all.contains { $0.matches(statement) }
        }
        #expect(unknown.isEmpty, "these statements are no literals of StoreDomain")
    }

    /// Checks the plans of a large store.
    private static func checkPlans(
        _ statements: [String: [any DatabaseValueConvertible]], _ database: any Database, _ engine: Engine
    ) async throws {
        var statements = statements
        if engine.isPostgreSQL { statements[Schema.accountLock] = [DatabaseValue.text("a1")] }
        for (sql, arguments) in statements {
            let plan = try await database.read { try StatementPlan(sql, arguments, on: engine, $0) }
            let scanned = plan.scanned(of: GrownStore.growing)
            #expect(
                scanned.isEmpty,
                "\(engine) reads all of \(scanned) for:\n\(sql)\n\(plan.steps.joined(separator: "\n"))")
        }
    }

    /// Checks the plans of SQLite in a store without statistics, which it has
    /// unless an operator gathers them. It then prefers the index with the most
    /// columns that a statement compares.
    private static func checkWithoutStatistics(
        _ statements: [String: [any DatabaseValueConvertible]], _ database: any Database
    ) async throws {
        for (sql, arguments) in statements {
            let plan = try await database.read { try StatementPlan(sql, arguments, on: .sqliteMemory, $0) }
            let steps = plan.steps.joined(separator: "\n")
            #expect(plan.scanned(of: GrownStore.growing).isEmpty, "\(sql)\n\(steps)")
            // The operator's list of an app's purchases, and that of Connect, which is the newest first.
            let isOfOneApp = sql.contains(/bundle_id = \$2 AND \(purchased_at, transaction_id\) [<>] \(\$3, \$4\)/)
            #expect(steps.contains("purchase_of_app") == isOfOneApp, "\(sql)\n\(steps)")
        }
    }

    private static func isOfTheAuthority(_ literal: SQLLiteral) -> Bool {
        StoreLife.ofTheAuthority.contains { literal.place.hasPrefix($0) }
    }

    /// The recorded statements, and the one that only an engine runs.
    private static func statements(of recorder: RecordingDatabase) -> Set<String> {
        Set(recorder.statements.keys.filter(\.isStatement) + [Schema.accountLock])
    }

    @Test("A statement that didn't run is noticed, and one of no literal")
    func noticedCoverage() throws {
        let source = #"""
            // "SELECT 1 FROM comment"
            let one = "SELECT \(columns) FROM pear WHERE id = $1"
            let two = """
                DELETE FROM pear
                WHERE id IN (\(list.map { "$\($0)" }.joined(separator: ", ")))
                    AND size > $2
                """
            let any = "DELETE FROM \(table)"
            let text = "Select a pear"
            """#
        let literals = SQLLiteral.statements(in: source, file: "Pear.swift")
        #expect(literals.map(\.place) == ["Pear.swift:2", "Pear.swift:3", "Pear.swift:8"])

        let deletion = "DELETE FROM pear\nWHERE id IN ($1, $3)\n    AND size > $2"
        let coverage = StatementCoverage(of: [deletion, "SELECT id FROM apple"], by: literals)

        // The deletion counts for the literal that has more of its text.
        #expect(coverage.missing.map(\.place) == ["Pear.swift:2", "Pear.swift:8"])
        #expect(coverage.unknown == ["SELECT id FROM apple"])
    }

    @Test(
        "A statement without an index is noticed, and one through a whole index",
        arguments: Engine.stores)
    func noticed(engine: Engine) async throws {
        try await engine.withDatabase { database in
            try await Schema.migrate(database)
            for sql in [
                "SELECT email FROM account WHERE storefront = $1",
                "UPDATE account SET event_number = 0 WHERE storefront = $1",
            ] {
                let plan = try await database.read { try StatementPlan(sql, ["USA"], on: engine, $0) }
                #expect(plan.scanned(of: GrownStore.growing) == ["account"], "\(sql): \(plan.steps)")
            }
            let plan = try await database.read { connection in
                if engine.isPostgreSQL { try connection.run("SET LOCAL enable_seqscan = off") }
                return try StatementPlan(
                    "SELECT account_id FROM account ORDER BY environment, account_id", [], on: engine, connection)
            }
            #expect(plan.scanned(of: GrownStore.growing) == ["account"], "\(plan.steps)")
        }
    }
}

extension String {
    /// Whether the plan of the statement is checked. The list of the applied
    /// migrations is read as a whole.
    fileprivate var isPlanned: Bool { isStatement && !contains("schema_migration") }
}
