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

    @Test("Database errors are equal if their codes are") func errorsAreEqualByTheirCode() {
        #expect(DatabaseError(.busy, "one") == DatabaseError(.busy, "two"))
        #expect(DatabaseError(.busy, "one") != DatabaseError(.closed, "one"))
        #expect("\(DatabaseError(.diskFull, "Make room."))" == "diskFull: Make room.")
    }
}
