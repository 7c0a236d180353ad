// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreDatabase

struct BindingTests {
    @Test("Parameters are bound by their number", arguments: Engine.allCases)
    func parametersAreBoundByTheirNumber(engine: Engine) async throws {
        try await engine.withFruit { database in
            let ids = try await database.write { connection in
                try connection.run("INSERT INTO fruit (weight, id) VALUES ($2, $1)", ["apple", 7])
                return try connection.rows("SELECT id FROM fruit WHERE weight = $2 AND id = $1", ["apple", 7])
            }

            #expect(ids.count == 1)
        }
    }

    @Test("A parameter may be used twice", arguments: Engine.allCases)
    func aParameterMayBeUsedTwice(engine: Engine) async throws {
        try await engine.withFruit { database in
            let ids: [String] = try await database.write { connection in
                try connection.run("INSERT INTO fruit (id) VALUES ($1), ($2), ($1 || $2)", ["apple", "pear"])
                return try connection.fruit()
            }

            #expect(ids == ["apple", "applepear", "pear"])
        }
    }

    @Test("Parameters of two digits are bound by their number", arguments: Engine.allCases)
    func tenParametersAndMore(engine: Engine) async throws {
        try await engine.withFruit { database in
            let names = (1...12).map { "fruit \($0)" }
            let weight: Int? = try await database.write { connection in
                let parameters = (1...12).reversed().map { "($\($0), \($0))" }.joined(separator: ", ")
                try connection.run("INSERT INTO fruit (id, weight) VALUES \(parameters)", names)
                return try connection.row("SELECT weight FROM fruit WHERE id = $1", ["fruit 11"])?.get("weight")
            }

            #expect(weight == 11)
        }
    }

    @Test("An argument too many or too few is an error on every engine", arguments: Engine.allCases)
    func argumentsAreCounted(engine: Engine) async throws {
        try await engine.withFruit { database in
            for arguments in [[], ["apple", "pear"]] {
                let error = try await databaseError {
                    try await database.write { connection in
                        try connection.run("INSERT INTO fruit (id) VALUES ($1)", arguments)
                    }
                }
                #expect(error.code == .other)
            }
        }
    }

    @Test("A dollar sign inside quotation marks is no parameter", arguments: Engine.allCases)
    func aDollarInsideQuotesIsNoParameter(engine: Engine) async throws {
        try await engine.withFruit { database in
            let ids: [String] = try await database.write { connection in
                try connection.run("INSERT INTO fruit (id) VALUES ('it''s $2' || $1)", ["!"])
                return try connection.fruit()
            }

            #expect(ids == ["it's $2!"])
        }
    }

    @Test(
        "A statement gives the same rows and errors at each of its uses",
        arguments: Engine.allCases,
        [
            "SELECT id FROM fruit WHERE weight = $2 AND id = $1 AND weight = $2",
            "SELECT id FROM fruit /* by both */ WHERE weight = $2 AND id = $1",
            "-- by both\nSELECT id FROM fruit WHERE weight = $2 AND id = $1",
        ])
    func repeatedStatements(engine: Engine, sql: String) async throws {
        try await engine.withFruit { database in
            try await database.write { try $0.add("apple", weight: 7) }
            for _ in 0..<4 {
                let found = try await database.read { connection in
                    try [connection.rows(sql, ["apple", 7]).count, connection.rows(sql, ["apple", 8]).count]
                }
                #expect(found == [1, 0])
                let counted = try await databaseError {
                    try await database.read { try $0.rows(sql, ["apple"]) }
                }
                #expect(counted == DatabaseError(.other, ""))
                #expect(counted.message == "1 arguments were given to the statement: \(sql)")
                let refused = try await databaseError {
                    try await database.read { try $0.rows(sql, ["app\u{0}le", 7]) }
                }
                #expect(refused.code == .value)
            }
        }
    }

    @Test("A statement on a table that doesn't exist is an error of its own", arguments: Engine.allCases)
    func missingTable(engine: Engine) async throws {
        try await engine.withFruit { database in
            let read = try await databaseError { try await database.read { try $0.rows("SELECT * FROM vegetable") } }
            let written = try await databaseError { try await database.write { try $0.run("DELETE FROM vegetable") } }

            #expect(read.code == .table && read.message.contains("vegetable"))
            #expect(written.code == .table)
        }
    }

    @Test("A statement's columns are those of the changed table", arguments: Engine.allCases)
    func changedTable(engine: Engine) async throws {
        try await engine.withFruit { database in
            try await database.write { try $0.add("apple", weight: 7) }
            for _ in 0..<3 { _ = try await database.write { try $0.rows("SELECT * FROM fruit") } }
            try await database.write { try $0.run("ALTER TABLE fruit ADD COLUMN colour TEXT") }

            for _ in 0..<3 {
                let columns = try await database.write { try $0.row("SELECT * FROM fruit")?.columns }
                #expect(columns == ["id", "weight", "colour"])
            }
        }
    }

    @Test("Statements with values in their text don't fill the memory", arguments: SQLiteKind.allCases)
    func valuesInTexts(kind: SQLiteKind) async throws {
        let (folder, texts) = (try TemporaryFolder(), StatementTexts())
        let location = kind == .memory ? .memory : SQLiteDatabase.Location.file(folder.path("fruit.sqlite"))
        // The texts of this test would fill those that the other tests' databases share.
        let database = try SQLiteDatabase(location, texts: texts)
        let count = 2 * StatementTexts.countLimit + 1_000
        try await database.write { connection in
            try connection.makeFruitTable()
            for number in 0..<count {
                try connection.run("INSERT INTO fruit (id, weight) VALUES ('\(number)', $1)", [number])
            }
        }

        #expect(try await database.fruit().count == count)
        #expect(texts.count <= 2 * StatementTexts.countLimit)
        try database.close()
    }
}
