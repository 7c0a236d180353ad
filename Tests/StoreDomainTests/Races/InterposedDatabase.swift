// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Synchronization

/// A database that runs code of a test before one of its transactions, or
/// after one of its reads.
final class InterposedDatabase: PassingDatabase {
    private struct Plan {
        var transactionsBefore: Int
        var isAfterRead = false
        var action: @Sendable () async throws -> Void
    }

    let engine: any Database
    private let plan = Mutex<Plan?>(nil)

    init(_ engine: any Database) {
        self.engine = engine
    }

    /// Sets the code to run once, after a number of transactions.
    func after(_ transactions: Int, _ action: @escaping @Sendable () async throws -> Void) {
        plan.withLock { $0 = Plan(transactionsBefore: transactions, action: action) }
    }

    /// Sets the code to run once, between the end of a read and its caller, after a number of reads.
    func afterRead(_ reads: Int, _ action: @escaping @Sendable () async throws -> Void) {
        plan.withLock { $0 = Plan(transactionsBefore: reads, isAfterRead: true, action: action) }
    }

    /// Removes the code; `false` if it has run.
    func cancel() -> Bool {
        plan.withLock { plan in
            defer { plan = nil }
            return plan != nil
        }
    }

    private func interpose(isAfterRead: Bool = false) async throws {
        let due = plan.withLock { plan -> Plan? in
            guard plan?.isAfterRead == isAfterRead else { return nil }
            guard plan?.transactionsBefore == 0 else {
                plan?.transactionsBefore -= 1
                return nil
            }
            defer { plan = nil }
            return plan
        }
        try await due?.action()
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await interpose()
        return try await engine.write(rows, isUrgent: isUrgent, body)
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await interpose()
        let value = try await engine.read(isUrgent: isUrgent, body)
        try await interpose(isAfterRead: true)
        return value
    }
}
