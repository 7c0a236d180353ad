// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase
import Synchronization

/// A database that, when a test asks for it, refuses all calls except the urgent
/// ones, as an engine does when too many calls wait.
package final class OverloadedDatabase: PassingDatabase {
    package let engine: any Database
    private let remaining = Mutex<Int?>(nil)

    package init(_ engine: any Database) {
        self.engine = engine
    }

    /// Accepts a number of calls, and refuses those after them.
    package func refuse(after accepted: Int) { remaining.withLock { $0 = accepted } }

    /// Accepts all calls again; returns whether it has refused one.
    @discardableResult
    package func recover() -> Bool {
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
    package func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try enter(isUrgent: isUrgent)
        return try await engine.write(rows, isUrgent: isUrgent, body)
    }

    package func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try enter(isUrgent: isUrgent)
        return try await engine.read(isUrgent: isUrgent, body)
    }

    @discardableResult
    package func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try enter(isUrgent: false)
        return try engine.writeAndWait(body)
    }

    package func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try enter(isUrgent: false)
        return try engine.readAndWait(body)
    }
}
