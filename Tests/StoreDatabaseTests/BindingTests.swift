// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

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
}
