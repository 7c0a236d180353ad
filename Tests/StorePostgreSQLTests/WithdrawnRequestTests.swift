// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// A parent approves a request while the app withdraws it.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct WithdrawnRequestTests {
    @Test("A payment that an app withdraws while a parent approves it isn't charged")
    func approvedMeanwhile() async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let (database, other) = (try open(url), try open(url))
        let meanwhile = Interrupted(database) {
            try other.write { connection in
                _ = try connection.run(
                    "UPDATE request SET status = 'failed', failure_code = 0, failure_message = 'Withdrawn.'")
            }
        }
        let store = try await TestStore(meanwhile)
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        try await phone.buy("juice", request: "sign-in", as: anna)
        try await store.service.change(account: anna.email, .init(asksToBuy: true))
        #expect(try await phone.ask("apple", request: "r1").status == .deferred)
        let number = try #require(try await store.service.undecided().first?.transactionIdentifier)

        meanwhile.interruptNext()
        let refusal = await #expect(throws: DomainError.self) { try await store.service.approve(number) }

        #expect(refusal?.code == .decided)
        #expect(try await phone.ask("apple", request: "r1").status == .failed)
        #expect(try await store.ledger() == [490])
        #expect(try await store.count("payment") == 1)
        try database.close()
        try other.close()
    }
}

/// A database that runs other code after a closure has read a request.
private final class Interrupted: Database {
    private let engine: any Database
    private let interruption: @Sendable () throws -> Void
    private let isDue = Mutex(false)

    init(_ engine: any Database, _ interruption: @escaping @Sendable () throws -> Void) {
        self.engine = engine
        self.interruption = interruption
    }

    func interruptNext() { isDue.withLock { $0 = true } }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        guard case .account = rows else { return try await engine.write(rows, isUrgent: isUrgent, body) }
        return try await engine.write(rows, isUrgent: isUrgent) { [self] in
            try body(Reading(connection: $0, hasRead: hasRead))
        }
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.read(isUrgent: isUrgent, body)
    }

    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.writeAndWait(body)
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.readAndWait(body)
    }

    func close() throws { try engine.close() }

    private func hasRead(_ sql: String) throws {
        let isNow = isDue.withLock { isDue in
            guard isDue, sql.contains("FROM request") else { return false }
            isDue = false
            return true
        }
        if isNow { try interruption() }
    }

    private struct Reading: Connection {
        let connection: any Connection
        let hasRead: (String) throws -> Void

        func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
            try connection.run(sql, arguments)
        }

        func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
            let rows = try connection.rows(sql, arguments)
            try hasRead(sql)
            return rows
        }
    }
}
