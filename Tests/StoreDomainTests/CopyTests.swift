// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Copying a store from one database to another.
struct CopyTests {
    @Test("A copy holds everything, and sells on", arguments: Engine.allCases)
    func copy(engine: Engine) async throws {
        try await Engine.sqliteMemory.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let apple = try await phone.buy("apple", request: "1", as: anna)
            try await phone.buy("juice", request: "2", quantity: 3, as: anna)
            try await phone.finish(apple.transactionIdentifier)
            _ = try await phone.restore(request: "restore")

            try await engine.withDatabase { target in
                let copied = try await CopyingStore(from: store.context.database, to: target)(now: store.clock.now)

                #expect(copied.first { $0.table == "purchase" }?.rows == 2)
                let moved = try await TestStore(target, seed: 8)
                #expect(try await moved.ledger() == [1470, 990])
                let movedPhone = TestDevice(number: 1, store: moved)
                #expect(try await movedPhone.queue().map(\.quantity) == [3])
                try await movedPhone.buy("pear", request: "3", as: anna)
                #expect(try await moved.ledger() == [1990, 1470, 990])
            }
        }
    }

    @Test("A copy that was broken off is begun anew, and isn't served", arguments: Engine.allCases)
    func brokenOff(engine: Engine) async throws {
        try await Engine.sqliteMemory.withStore { store in
            let anna = try await store.addAccount()
            try await store.addDevice().buy("apple", request: "1", as: anna)
            let database = store.context.database

            try await engine.withDatabase { target in
                let copying = CopyingStore(from: database, to: target)
                await #expect(throws: Interruption.self) {
                    try await CopyingStore(from: Failing(engine: database), to: target)(now: store.clock.now)
                }
                await #expect(throws: DomainError.self) { try await CopyingStore.check(target) }

                _ = try await copying(now: store.clock.now)

                try await CopyingStore.check(target)
                #expect(try await TestStore(target, seed: 8).ledger() == [990])
            }
        }
    }

    @Test("A database that holds a store isn't overwritten", arguments: Engine.allCases)
    func occupied(engine: Engine) async throws {
        try await Engine.sqliteMemory.withStore { source in
            try await engine.withStore { target in
                let error = await #expect(throws: DomainError.self) {
                    try await CopyingStore(from: source.context.database, to: target.context.database)(
                        now: source.clock.now)
                }
                #expect(error?.code == .exists)
            }
        }
    }
}

private struct Interruption: Error {}

/// A source that fails when purchases are read.
private struct Failing: PassingDatabase {
    let engine: any Database

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.read(isUrgent: isUrgent) { try body(FailingConnection(connection: $0)) }
    }
}

private struct FailingConnection: Connection {
    let connection: any Connection

    func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
        try connection.run(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        if sql.contains("FROM purchase") { throw Interruption() }
        return try connection.rows(sql, arguments)
    }
}
