// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreTestSupport
import Testing

struct ValueTests {
    @Test("Values come back as they were written", arguments: Engine.allCases)
    func valuesComeBackAsTheyWentIn(engine: Engine) async throws {
        try await engine.withDatabase { database in
            let row = try await database.write { connection in
                try connection.run(
                    "CREATE TABLE thing (text TEXT, number BIGINT, flag BIGINT, bytes blob, absent TEXT)")
                try connection.run(
                    "INSERT INTO thing VALUES ($1, $2, $3, $4, $5)",
                    ["Äpfel 🍎 '; --", Int64.min, true, Data([0, 255, 39]), String?.none])
                return try connection.row("SELECT * FROM thing")
            }

            let thing = try #require(row)
            #expect(thing.columns == ["text", "number", "flag", "bytes", "absent"])
            #expect(try thing.get("text") == "Äpfel 🍎 '; --")
            #expect(try thing.get("number") == Int64.min)
            #expect(try thing.get("flag") == true)
            #expect(try thing.get("bytes") == Data([0, 255, 39]))
            #expect(try thing.get("absent") == String?.none)
            #expect(try thing.get("absent") == DatabaseValue.null)
        }
    }

    @Test("Empty text and an empty blob aren't NULL", arguments: Engine.allCases)
    func emptyTextAndEmptyBlobAreNotNull(engine: Engine) async throws {
        try await engine.withDatabase { database in
            let row = try await database.write { connection in
                try connection.run("CREATE TABLE thing (text TEXT, bytes blob)")
                try connection.run("INSERT INTO thing VALUES ($1, $2)", ["", Data()])
                return try connection.row("SELECT text, bytes FROM thing")
            }

            #expect(try row?.get("text") == DatabaseValue.text(""))
            #expect(try row?.get("bytes") == DatabaseValue.blob(Data()))
        }
    }

    @Test("Two names that differ after a NUL must never become one", arguments: Engine.allCases)
    func textWithNULIsRefused(engine: Engine) async throws {
        try await engine.withFruit { database in
            let error = try await databaseError {
                try await database.write { connection in try connection.add("apple\0pie") }
            }

            #expect(error.code == .value)
            #expect(!error.message.contains("pie"))
        }
    }

    @Test("The error about a missing or mistyped column names it", arguments: Engine.allCases)
    func aWrongColumnIsNamed(engine: Engine) async throws {
        try await engine.withFruit { database in
            let found = try await database.write { connection in
                try connection.add("apple", weight: 2)
                return try connection.row("SELECT id, weight FROM fruit")
            }
            let row = try #require(found)

            let missing = try await databaseError { let _: String = try row.get("colour") }
            #expect(missing.code == .column)
            #expect(missing.message.contains("\"colour\"") && missing.message.contains("id, weight"))

            let mistyped = try await databaseError { let _: Int = try row.get("id") }
            #expect(mistyped.code == .column)
            #expect(mistyped.message == "The column \"id\" holds text where an integer is wanted.")

            let unflagged = try await databaseError { let _: Bool = try row.get("weight") }
            #expect(unflagged.code == .column)
        }
    }

    @Test("The result of run is the number of changed rows", arguments: Engine.allCases)
    func runReturnsTheNumberOfRowsChanged(engine: Engine) async throws {
        try await engine.withFruit { database in
            let counts = try await database.write { connection in
                [
                    try connection.run("INSERT INTO fruit (id) VALUES ($1), ($2)", ["apple", "pear"]),
                    try connection.run("CREATE TABLE basket (id TEXT PRIMARY KEY)"),
                    try connection.run("UPDATE fruit SET weight = 1 WHERE id = $1", ["plum"]),
                    try connection.run("UPDATE fruit SET weight = 1"),
                    try connection.run("INSERT INTO fruit (id) VALUES ($1) ON CONFLICT DO NOTHING", ["pear"]),
                    try connection.run("DELETE FROM fruit"),
                ]
            }

            #expect(counts == [2, 0, 0, 2, 0, 2])
        }
    }

    @Test("RETURNING gives rows", arguments: Engine.allCases)
    func returningGivesRows(engine: Engine) async throws {
        try await engine.withFruit { database in
            let weight: Int? = try await database.write { connection in
                try connection.add("apple", weight: 2)
                let sql = "UPDATE fruit SET weight = weight + $1 RETURNING weight"
                return try connection.row(sql, [3])?.get("weight")
            }

            #expect(weight == 5)
        }
    }
}
