// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

struct ConstraintTests {
    private static let schema = [
        """
        CREATE TABLE purchase (
            id TEXT PRIMARY KEY, account TEXT NOT NULL, product TEXT, price BIGINT CHECK (price >= 0)
        )
        """,
        "CREATE UNIQUE INDEX one_product ON purchase (product)",
        "CREATE UNIQUE INDEX one_per_account ON purchase (account, price) WHERE price > 0",
        "CREATE TABLE label (name TEXT)",
        "CREATE UNIQUE INDEX one_name ON label (lower(name))",
        "CREATE UNIQUE INDEX one_free ON purchase (account) WHERE price = 0",
        "CREATE TABLE refund (purchase TEXT NOT NULL REFERENCES purchase (id))",
        "INSERT INTO purchase VALUES ('1', 'ann', 'Apple', 5)",
        "INSERT INTO purchase VALUES ('2', 'bob', 'Fig', 0)",
        "INSERT INTO label VALUES ('Apple')",
    ]

    private func error(_ engine: Engine, _ sql: String, _ arguments: [String] = []) async throws -> DatabaseError {
        var thrown: DatabaseError?
        try await engine.withDatabase { database in
            try await Migrator([Migration("1", Self.schema)]).migrate(database)
            thrown = try await databaseError {
                try await database.write { connection in try connection.run(sql, arguments) }
            }
        }
        return try #require(thrown)
    }

    @Test("A unique violation names its index", arguments: Engine.allCases)
    func aUniqueViolationNamesItsIndex(engine: Engine) async throws {
        let error = try await error(engine, "INSERT INTO purchase VALUES ('3', 'cat', $1, 5)", ["Apple"])
        #expect(error.code == .uniqueViolation)
        #expect(error.constraint == "one_product")
    }

    @Test("A unique violation over several columns names its index", arguments: Engine.allCases)
    func soDoesOneOverSeveralColumns(engine: Engine) async throws {
        let error = try await error(engine, "INSERT INTO purchase VALUES ('3', $1, 'Pear', 5)", ["ann"])
        #expect(error.constraint == "one_per_account")
    }

    @Test("A unique violation over an expression names its index", arguments: Engine.allCases)
    func soDoesOneOverAnExpression(engine: Engine) async throws {
        let error = try await error(engine, "INSERT INTO label VALUES ($1)", ["APPLE"])
        #expect(error.constraint == "one_name")
    }

    @Test("A unique violation of a partial index names its index", arguments: Engine.allCases)
    func soDoesAPartialOne(engine: Engine) async throws {
        let sql = "INSERT INTO purchase VALUES ('3', $1, 'Pear', 0)"
        let error = try await error(engine, sql, ["bob"])
        #expect(error.constraint == "one_free")
    }

    @Test("A primary key has PostgreSQL's name on every engine", arguments: Engine.allCases)
    func aPrimaryKeyHasTheNameThatPostgreSQLGivesIt(engine: Engine) async throws {
        let error = try await error(engine, "INSERT INTO purchase VALUES ($1, 'cat', 'Pear', 5)", ["1"])
        #expect(error.code == .uniqueViolation)
        #expect(error.constraint == "purchase_pkey")
    }

    @Test("NOT NULL, CHECK and foreign keys", arguments: Engine.allCases)
    func otherConstraints(engine: Engine) async throws {
        for sql in [
            "INSERT INTO purchase VALUES ('3', NULL, 'Pear', 5)",
            "INSERT INTO purchase VALUES ('3', 'cat', 'Pear', -1)",
            "INSERT INTO refund VALUES ('unknown')",
        ] {
            let error = try await error(engine, sql)
            #expect(error.code == .constraintViolation)
            #expect(error.constraint == nil)
        }
    }

    @Test("Error messages never contain bound values", arguments: Engine.allCases)
    func messagesNeverHoldBoundValues(engine: Engine) async throws {
        for sql in [
            "INSERT INTO purchase SELECT '1', $1, 'Pear', 5",
            "INSERT INTO purchase SELECT '3', $1, 'Pear', -1",
            "INSERT INTO refund VALUES ($1)",
            "INSERT INTO nowhere VALUES ($1)",
            "SELECT json_extract($1, '$')",
        ] {
            let error = try await error(engine, sql, ["open sesame"])
            #expect(!"\(error)".contains("sesame"))
            #expect(!String(reflecting: error).contains("sesame"))
        }
    }

    @Test("A closure may go on after a violation", arguments: Engine.allCases)
    func aClosureMayGoOnAfterAViolation(engine: Engine) async throws {
        try await engine.withFruit { database in
            try await database.write { connection in
                try connection.add("apple")
                let again = #expect(throws: DatabaseError.self) { try connection.add("apple") }
                #expect(again?.code == .uniqueViolation)
                try connection.add("pear")
            }

            #expect(try await database.fruit() == ["apple", "pear"])
        }
    }
}
