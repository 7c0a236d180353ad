// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDatabase

struct SQLTextTests {
    @Test(
        "Transaction commands are recognised after comments, in any case",
        arguments: ["COMMIT", "begin immediate", "\n ; Rollback to x", "-- note\nEND", "/* a */ /* b */savepoint s"])
    func transactionCommandsAreRecognised(sql: String) {
        #expect(TransactionCommand.contains(sql))
    }

    @Test(
        "Other statements aren't taken for transaction commands",
        arguments: ["SELECT 'COMMIT'", "-- COMMIT", "", "UPDATE begin SET end = 1", "/* BEGIN", "BEGINNING"])
    func otherStatementsAreNot(sql: String) {
        #expect(!TransactionCommand.contains(sql))
    }

    @Test(
        "The highest parameter counts, and quoted ones don't",
        arguments: [
            ("SELECT 1", 0), ("SELECT $2, $1, $2", 2), ("SELECT '$3', \"$4\", $1", 1), ("VALUES ($1,$12)", 12),
            ("SELECT 'it''s $3' || $1", 1), ("SELECT '$'", 0),
        ])
    func parametersAreCounted(sql: String, count: Int) {
        #expect(ParameterCount.highest(in: sql) == count)
    }

    @Test(
        "SQLite's order of the parameters is that of their first appearance",
        arguments: [
            ("SELECT 1", []), ("SELECT $2, $1, $2", [2, 1]), ("SELECT '$3', \"$4\", $1", [1]),
            ("VALUES ($1,$12)", [1, 12]), ("SELECT 'it''s -- $3' || $1", [1]), ("SELECT $2-$1/$3*2", [2, 1, 3]),
            ("SELECT 'é', $1 WHERE a=$2", [1, 2]),
        ])
    func parametersAreOrdered(sql: String, order: [Int]) {
        #expect(ParameterOrder.firstAppearances(in: sql) == order)
    }

    @Test(
        "A text that SQLite may divide in another way has no known order",
        arguments: [
            "SELECT $1 -- $2", "SELECT $1 /* $2 */", "SELECT $1::text", "SELECT $a", "SELECT $", "SELECT $01",
            "SELECT $1a", "SELECT a$1", "SELECT $1$2", "SELECT $1(2)", "SELECT ?, $1", "SELECT ?1", "SELECT :a",
            "SELECT @a", "SELECT [$1]", "SELECT `$1`", "SELECT '$1", "SELECT $1\u{0}", "SELECT $123456", "SELECT $é",
        ])
    func unusualTexts(sql: String) {
        #expect(ParameterOrder.firstAppearances(in: sql) == nil)
    }

    @Test("A text is kept from its second use on, and a long one never is")
    func keptTexts() {
        let texts = StatementTexts()
        let long = "SELECT '\(String(repeating: "a", count: StatementTexts.lengthLimit))'"
        let kept = (0..<3).map { _ in texts.text(of: "SELECT $1").isKept }
        let keptLong = (0..<3).map { _ in texts.text(of: long).isKept }

        #expect(kept == [false, true, true])
        #expect(keptLong == [false, false, false])
        #expect(texts.text(of: "SELECT $1").text == StatementText("SELECT $1"))
        #expect(texts.count == 1)
    }

    @Test("Texts that differ each time don't make the cache grow or drop the others")
    func changingTexts() {
        let texts = StatementTexts()
        for _ in 0..<2 { _ = texts.text(of: "SELECT $1") }
        for number in 0..<5_000 { _ = texts.text(of: "SELECT \(number)") }

        #expect(texts.text(of: "SELECT $1").isKept)
        #expect(texts.count <= 2 * StatementTexts.countLimit)

        for number in 0..<5_000 {
            for _ in 0..<2 { _ = texts.text(of: "SELECT \(number)") }
        }
        #expect(texts.text(of: "SELECT $1").isKept)
        #expect(texts.count <= 2 * StatementTexts.countLimit)
    }

    @Test("Database errors are equal if their codes are") func errorsAreEqualByTheirCode() {
        #expect(DatabaseError(.busy, "one") == DatabaseError(.busy, "two"))
        #expect(DatabaseError(.busy, "one") != DatabaseError(.closed, "one"))
        #expect("\(DatabaseError(.diskFull, "Make room."))" == "diskFull: Make room.")
    }
}
