// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

/// A statement of the journal that reads a whole table is fast in every other
/// test, and takes too long on a device with many unfinished transactions.
///
/// SQLite gathers no statistics on a device, so the plans of an empty journal
/// are those of a full one.
struct JournalPlanTests {
    /// The tables with one row, or with one for each process of the app. All
    /// others grow.
    private static let small: Set = ["journal", "key_value_state", "process", "signed_state"]
    private static let growing = JournalSchema.tables.filter { !small.contains($0) }

    /// The statements that may read a whole table, with the reason.
    private static let whole = [
        "SELECT 1 FROM entry WHERE account = $1 AND number > $2 AND question >= $3 LIMIT 1":
            "Once for a snapshot, which is compared with all transactions of the journal.",
        "SELECT count(*) AS n FROM entry":
            "Only after as many changes as the journal may have entries.",
        "UPDATE entry SET holder = NULL WHERE holder = $1":
            "Once when an app removes its last observer.",
        "SELECT identifier FROM entry":
            "Only after entries were deleted: the process finds those that it knows and that are gone.",
        "DELETE FROM presented WHERE entry NOT IN (SELECT identifier FROM entry)":
            "Once before a sheet is shown. The table has the sheets of payments that aren't decided.",
        "SELECT * FROM app_request ORDER BY sequence":
            "The table has the requests of running processes, such as a restore.",
        "DELETE FROM app_request WHERE process = $1 AND kind <> $2":
            "Once for a process that has ended.",
        "SELECT key_name, value FROM key_value WHERE value IS NOT NULL":
            "Once in a process: an app has all values in memory.",
        """
        SELECT count(*) AS n,
            COALESCE(SUM(LENGTH(value) / 4 * 3 - LENGTH(value) + LENGTH(RTRIM(value, '='))), 0) AS bytes
        FROM key_value WHERE value IS NOT NULL AND key_name <> $1
        """:
            "An account has at most 1,024 keys for an app.",
        "UPDATE key_value SET written = 0":
            "Once after another account was signed in.",
        "SELECT key_name FROM key_value WHERE value IS NOT NULL":
            "Only for an answer that has all keys.",
        "SELECT count(*) AS n, COALESCE(SUM(LENGTH(value)), 0) AS size FROM key_value":
            "Once for an answer. Above a number of rows it refuses the answer.",
        "SELECT count(*) AS n FROM signed_transaction":
            "Only after as many changes as the journal may have signed transactions.",
        "SELECT * FROM signed_renewal ORDER BY transaction_identifier":
            "An account has a few subscriptions.",
        "SELECT * FROM download WHERE is_closed = 0 ORDER BY transaction_identifier, product":
            "Once for an operator, who gets a list of them all.",
    ]

    /// A statement of each literal that has interpolations.
    private static let samples = [
        "DELETE FROM entry",
        "DELETE FROM signed_transaction WHERE transaction_identifier = $1",
        "SELECT * FROM entry WHERE phase IN ($1, $2) ORDER BY sequence",
        """
        SELECT transaction_identifier FROM entry
        WHERE phase IN ($1, $2, $6) AND account = $3 AND number <= $4 AND transaction_identifier IS NOT NULL
            AND listed = $4
        ORDER BY sequence LIMIT $5
        """,
        """
        INSERT INTO entry (identifier, sequence)
        VALUES ($1, $2)
        ON CONFLICT (identifier) DO UPDATE
        SET sequence = excluded.sequence
        """,
    ]

    private let journal: Journal

    init() throws {
        journal = try Journal(try SQLiteDatabase(.memory), device: "phone")
    }

    private static func statement(of literal: SQLLiteral) -> String? {
        literal.parts.count == 1 ? literal.parts[0] : samples.first { literal.matches($0) }
    }

    /// The plan of a statement. Its arguments don't matter without statistics.
    private func plan(_ sql: String) async throws -> StatementPlan {
        let count = sql.matches(of: /\$([0-9]+)/).compactMap { Int($0.output.1) }.max() ?? 0
        let arguments = Array(repeating: DatabaseValue.text("1"), count: count)
        return try await journal.database.read { try StatementPlan(sql, arguments, on: .sqliteMemory, $0) }
    }

    @Test("No statement of the journal reads a whole table that grows, but for those of a list")
    func plans() async throws {
        let literals = try SQLLiteral.ofStoreAgent()
        #expect(literals.count > 60)
        var unused = Set(Self.whole.keys)
        for literal in literals {
            guard let sql = Self.statement(of: literal) else {
                Issue.record("Sources/StoreAgent/\(literal.place): the test has no sample of this statement")
                continue
            }
            unused.remove(sql)
            let plan = try await plan(sql)
            let scanned = plan.scanned(of: Self.growing)
            #expect(
                scanned.isEmpty || Self.whole[sql] != nil,
                "\(literal.place) reads all of \(scanned) for:\n\(sql)\n\(plan.steps.joined(separator: "\n"))")
        }
        #expect(unused.isEmpty, "the journal has no such statement")
    }

    @Test("A statement of the list reads a whole table", arguments: JournalPlanTests.whole.keys.sorted())
    func listed(sql: String) async throws {
        #expect(try await plan(sql).scanned(of: Self.growing).count == 1)
    }

    @Test("A statement of the journal without an index is noticed")
    func noticed() async throws {
        #expect(try await plan("SELECT * FROM entry WHERE product = $1").scanned(of: Self.growing) == ["entry"])
        #expect(try await plan("SELECT * FROM entry WHERE identifier = $1").scanned(of: Self.growing).isEmpty)
    }
}
