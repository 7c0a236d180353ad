// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StorePostgreSQL
import StoreTestSupport
import Testing

@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct ContentionTests {
    @Test("200 concurrent writes of one number, each as if it were alone")
    func increments() async throws {
        try await withFruit { database, _ in
            try await database.write { connection in try connection.add("apple", weight: 0) }

            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await database.write { connection in
                            let weight = try connection.number("SELECT weight AS n FROM fruit WHERE id = 'apple'")
                            try connection.run("UPDATE fruit SET weight = $1 WHERE id = 'apple'", [weight + 1])
                        }
                    }
                }
                try await group.waitForAll()
            }

            let weight = try await database.read { try $0.number("SELECT weight AS n FROM fruit") }
            #expect(weight == 200)
        }
    }

    @Test("Two processes count together", arguments: [2])
    func twoProcesses(count: Int) async throws {
        try await withFruit { database, url in
            try await database.write { connection in try connection.add("apple", weight: 0) }
            let databases = try [database] + (1..<count).map { _ in try open(url) }

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await databases[number % count].write { connection in
                            let weight = try connection.number("SELECT weight AS n FROM fruit WHERE id = 'apple'")
                            try connection.run("UPDATE fruit SET weight = $1 WHERE id = 'apple'", [weight + 1])
                        }
                    }
                }
                try await group.waitForAll()
            }

            let weight = try await database.read { try $0.number("SELECT weight AS n FROM fruit") }
            #expect(weight == 100)
            for other in databases.dropFirst() { try other.close() }
        }
    }

    @Test("Neither sees the other's row, and each decides by that: one has to run again")
    func writeSkew() async throws {
        try await withFruit { database, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        try await database.write { connection in
                            guard try connection.number("SELECT count(*) AS n FROM fruit") < 3 else { return }
                            try connection.add("\(number)")
                        }
                    }
                }
                try await group.waitForAll()
            }

            #expect(try await database.read { try $0.fruit().count } == 3)
        }
    }

    @Test("Writes of different accounts run in parallel") func differentAccountsRunBesideOneAnother() async throws {
        try await withFruit { database, _ in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in ["ann", "bob"] {
                    group.addTask {
                        try await database.write(.account(account)) { connection in
                            try connection.add(account)
                            gate.hold()
                        }
                    }
                }
                try await until { gate.arrivals == 2 }
                gate.open()
                try await group.waitForAll()
            }
        }
    }

    @Test("The writes of one account run one after another, in order")
    func oneAccountsWritesFollowOneAnotherInOrder() async throws {
        try await withFruit { database, url in
            let gate = Gate()
            let order = Log()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.write(.account("ann")) { _ in gate.hold() } }
                try await until { gate.arrivals == 1 }
                for number in 0..<20 {
                    group.addTask {
                        try await database.write(.account("ann")) { connection in
                            order.add(number)
                            try connection.add("\(number)")
                        }
                    }
                    try await until { database.load.waitingWrites == number + 1 }
                }
                gate.open()
                try await group.waitForAll()
            }

            #expect(order.entries == Array(0..<20))
        }
    }

    @Test("Of two processes, one waits for the other's account")
    func accountsAreLockedOnTheServer() async throws {
        try await withFruit { database, url in
            let other = try open(url)
            let gate = Gate()
            async let first: Void = database.write(.account("ann")) { connection in
                try connection.add("apple")
                gate.hold()
                try connection.run("UPDATE fruit SET weight = 1")
            }
            try await until { gate.arrivals == 1 }
            async let second = other.write(.account("ann")) { connection in
                try connection.number("SELECT weight AS n FROM fruit")
            }
            try await until { try lockWaits(at: url) == 1 }
            gate.open()

            try await first
            #expect(try await second == 1)
            try other.close()
        }
    }

    @Test("A hot account leaves connections to the others")
    func aHotAccountHoldsOneConnection() async throws {
        try await withFruit({ $0.connections = 2 }) { database, _ in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try await database.write(.account("ann")) { _ in gate.hold() } } }
                try await until { gate.arrivals == 1 }

                try await database.write(.account("bob")) { connection in try connection.add("pear") }
                #expect(try await database.read { try $0.fruit() } == ["pear"])
                gate.open()
                try await group.waitForAll()
            }
        }
    }

    @Test("Two that lock in opposite order: both are done")
    func deadlock() async throws {
        try await withFruit({ $0.accountLock = "SELECT $1::text" }) { database, _ in
            try await database.write { connection in
                try connection.add("apple", weight: 0)
                try connection.add("pear", weight: 0)
            }
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (account, fruits) in [("ann", ["apple", "pear"]), ("bob", ["pear", "apple"])] {
                    group.addTask {
                        try await database.write(.account(account)) { connection in
                            try connection.run("UPDATE fruit SET weight = weight + 1 WHERE id = $1", [fruits[0]])
                            gate.hold()
                            try connection.run("UPDATE fruit SET weight = weight + 1 WHERE id = $1", [fruits[1]])
                        }
                    }
                }
                try await until { gate.arrivals == 2 }
                gate.open()
                try await group.waitForAll()
            }

            let weight = try await database.read { try $0.number("SELECT sum(weight) AS n FROM fruit") }
            #expect(weight == 4)
        }
    }
}
