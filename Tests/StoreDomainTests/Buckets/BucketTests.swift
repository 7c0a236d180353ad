// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The buckets of accounts, and the transaction identifiers that contain them.
struct BucketTests {
    @Test(
        "The bucket of an identifier is a function of its first four characters",
        arguments: [
            ("", 0), ("0001", 1), ("03e7", 999), ("03e8", 0), ("ffff", 535), ("a1", 216), ("4e3baac1799e", 27),
            ("000A", 0), ("g00f", 15), ("é001", 1), ("１001", 1),
        ] as [(AccountIdentifier, Int)])
    func function(identifier: AccountIdentifier, bucket: Int) {
        #expect(identifier.bucket == bucket)
    }

    @Test("The migration computes the same bucket", arguments: Engine.stores)
    func sql(engine: Engine) async throws {
        let random = RandomSource(SeededGenerator(seed: 3))
        let identifiers =
            ["", "a", "a1", "g1", "0000", "ffff", "FFFF", "9f-2", "é12f", "１234"].map { AccountIdentifier($0) }
            + (0..<200).map { _ in AccountIdentifier(random.hexadecimal(bytes: 16)) }
        let sql = "SELECT CAST(\(Schema.bucket(of: "CAST($1 AS TEXT)")) AS BIGINT) AS bucket"

        try await engine.withDatabase { database in
            let computed = try await database.read { connection in
                try identifiers.map { identifier -> Int in
                    try #require(try connection.row(sql, [identifier])).get("bucket")
                }
            }
            #expect(computed == identifiers.map(\.bucket))
        }
    }

    @Test("A new identifier has environment, bucket and time before five random digits")
    func form() throws {
        let number = RandomSource(SeededGenerator(seed: 5)).serial(at: 1_767_323_045)

        let sandbox = TransactionSerial(number, in: .sandbox).identifier(for: "4e3baac1799e")
        let production = TransactionSerial(number, in: .production).identifier(for: "4e3baac1799e")

        #expect(sandbox.rawValue.hasPrefix("20271767323045") && sandbox.rawValue.count == 19)
        #expect(production.rawValue == "4" + sandbox.rawValue.dropFirst())
        #expect(sandbox.bucket == 27 && production.bucket == 27)
    }

    @Test("The smallest and the largest identifier have 19 digits and are less than 2^63")
    func range() throws {
        let extremes: [(number: Int64, account: AccountIdentifier)] = [(0, "0000"), (999_999_999_999_999, "03e7")]
        let identifiers = extremes.map { number, account in
            TransactionSerial(number, in: .production).identifier(for: account).rawValue
        }
        #expect(identifiers == ["4000000000000000000", "4999999999999999999"])
        #expect(identifiers.allSatisfy { Int64($0) != nil })
        let random = RandomSource(SeededGenerator(seed: 6))
        #expect(random.serial(at: -1) < 100_000)
        #expect((999_999_999_900_000..<1_000_000_000_000_000).contains(random.serial(at: .max)))
    }

    @Test("Identifiers are in the order of the bucket and then of the time")
    func order() {
        let random = RandomSource(SeededGenerator(seed: 7))
        let accounts: [AccountIdentifier] = ["0002", "000a", "03e7"]
        let identifiers = accounts.flatMap { account in
            [Int64(9), 10, 1_767_323_045, 1_767_323_046, 9_999_999_998].map { second in
                TransactionSerial(random.serial(at: second), in: .sandbox).identifier(for: account)
            }
        }
        #expect(identifiers == identifiers.sorted())
    }

    @Test("A source repeats no number within a second, and a seed gives the same numbers")
    func distinct() {
        let sources = (0..<2).map { _ in RandomSource(SeededGenerator(seed: 8)) }
        let numbers = sources.map { source in (0..<25_000).map { _ in source.serial(at: 1000) } }

        #expect(numbers[0] == numbers[1])
        #expect(Set(numbers[0]).count == 25_000)
        #expect(numbers[0].allSatisfy { (1000...1002).contains($0 / 100_000) })
    }

    @Test(
        "An identifier of an older version has no bucket",
        arguments: ["", "2000000000000001", "abc", "20000000000000000001", "202717673230451234x"])
    func older(identifier: String) {
        #expect(TransactionIdentifier(identifier).bucket == nil)
    }
}
