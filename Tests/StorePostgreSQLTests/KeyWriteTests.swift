// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StorePostgreSQL
import StoreTestSupport
import Testing

/// The writes of a key, which have READ COMMITTED isolation.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct KeyWriteTests {
    @Test("The writes of one key run one at a time, those of two keys in parallel")
    func oneAtATime() async throws {
        try await withFruit { database, _ in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.write(.key("phone")) { _ in gate.hold() } }
                try await until { gate.arrivals == 1 }
                group.addTask { try await database.write(.key("phone")) { try $0.add("pear") } }
                try await until { database.load.waitingWrites == 1 }

                try await database.write(.key("tablet")) { try $0.add("apple") }

                #expect(try await database.read { try $0.fruit() } == ["apple"])
                gate.open()
                try await group.waitForAll()
            }
            #expect(try await database.read { try $0.fruit() } == ["apple", "pear"])
        }
    }

    @Test("Of two processes, one waits for the other's key")
    func twoProcesses() async throws {
        try await withFruit { database, url in
            let other = try open(url)
            let gate = Gate()
            async let first: Void = database.write(.key("phone")) { connection in
                try connection.add("apple")
                gate.hold()
            }
            try await until { gate.arrivals == 1 }
            async let second = other.write(.key("phone")) { try $0.fruit() }
            try await until { try lockWaits(at: url) == 1 }
            gate.open()

            try await first
            #expect(try await second == ["apple"])
            try other.close()
        }
    }

    @Test("A write of a key sees a commit between two of its statements")
    func readCommitted() async throws {
        try await withFruit { database, _ in
            let gate = Gate()
            async let counts = database.write(.key("phone")) { connection in
                let before = try connection.fruit().count
                gate.hold()
                return [before, try connection.fruit().count]
            }
            try await until { gate.arrivals == 1 }
            try await database.write(.account("ann")) { try $0.add("apple") }
            gate.open()

            #expect(try await counts == [0, 1])
        }
    }
}
