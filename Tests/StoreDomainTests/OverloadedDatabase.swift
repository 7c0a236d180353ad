// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

/// A database that, when a test asks for it, refuses all calls except the urgent
/// ones, as an engine does when too many calls wait.
final class OverloadedDatabase: Database {
    private let engine: any Database
    private let remaining = Mutex<Int?>(nil)

    init(_ engine: any Database) {
        self.engine = engine
    }

    /// Accepts a number of calls, and refuses those after them.
    func refuse(after accepted: Int) { remaining.withLock { $0 = accepted } }

    /// Accepts all calls again; returns whether it has refused one.
    @discardableResult
    func recover() -> Bool {
        remaining.withLock { remaining in
            defer { remaining = nil }
            return (remaining ?? 0) < 0
        }
    }

    private func enter(isUrgent: Bool) throws {
        try remaining.withLock { remaining in
            guard !isUrgent, let left = remaining else { return }
            remaining = left > 0 ? left - 1 : -1
            if left <= 0 { throw DatabaseError(.overloaded, "Too many calls wait.") }
        }
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try enter(isUrgent: isUrgent)
        return try await engine.write(rows, isUrgent: isUrgent, body)
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try enter(isUrgent: isUrgent)
        return try await engine.read(isUrgent: isUrgent, body)
    }

    @discardableResult
    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try enter(isUrgent: false)
        return try engine.writeAndWait(body)
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try enter(isUrgent: false)
        return try engine.readAndWait(body)
    }

    func close() throws { try engine.close() }
}
