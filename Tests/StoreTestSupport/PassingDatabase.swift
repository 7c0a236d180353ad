// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// A database of a test that passes its calls on to another one. A type that
/// conforms defines only the calls that it changes.
package protocol PassingDatabase: Database {
    /// The database that gets the calls.
    var engine: any Database { get }
}

extension PassingDatabase {
    package var load: DatabaseLoad { engine.load }

    @discardableResult
    package func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.write(rows, isUrgent: isUrgent, body)
    }

    package func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await engine.read(isUrgent: isUrgent, body)
    }

    @discardableResult
    package func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.writeAndWait(body)
    }

    package func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try engine.readAndWait(body)
    }

    package func close() throws { try engine.close() }
}
