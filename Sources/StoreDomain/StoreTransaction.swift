// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// One database transaction of a store: the connection, the environment whose
/// rows it reads and writes, and its time.
///
/// Every function that touches the database takes it as its last argument,
/// `db`. It is valid until the closure that received it returns.
///
/// ```swift
/// try await write(for: account) { db in
///     guard let account = try Account.findOpen(account, db) else { return }
///     try account.update(db)
/// }
/// ```
package struct StoreTransaction: Connection {
    private let connection: any Connection
    package let environment: StoreEnvironment
    /// When the transaction was begun. It is the same when the closure runs
    /// again, so that a repeated run writes the same values.
    package let now: WallTime
    /// The changes to count after the commit.
    let tally = SaleTally()

    init(_ connection: any Connection, in environment: StoreEnvironment, at now: WallTime) {
        self.connection = connection
        self.environment = environment
        self.now = now
    }

    /// Runs a statement, and returns the number of rows that it changed.
    ///
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func run(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> Int {
        try connection.run(sql, arguments)
    }

    /// All rows that a statement returns.
    ///
    /// - Throws: `DatabaseError`.
    package func rows(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Row] {
        try connection.rows(sql, arguments)
    }
}

extension StoreTransaction {
    /// Runs a closure, and returns its result with the changes to count after
    /// the commit.
    fileprivate func tallied<T>(_ body: (StoreTransaction) throws -> T) rethrows -> (T, [SaleTally.Entry]) {
        let value = try body(self)
        return (value, tally.entries)
    }
}

extension StoreContext {
    /// Runs a closure that may change any row of the environment
    /// (`WriteScope.all`). An urgent one isn't refused because others wait.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    @discardableResult
    package func write<T: Sendable>(
        isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await write(.all, isUrgent: isUrgent, body)
    }

    /// Runs a closure that changes only one account's rows
    /// (`WriteScope.account`). An urgent one isn't refused because others
    /// wait.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    @discardableResult
    package func write<T: Sendable>(
        for account: AccountIdentifier, isUrgent: Bool = false,
        _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await write(.account(account.rawValue), isUrgent: isUrgent, body)
    }

    /// Runs a closure that changes only one device's rows, or single rows
    /// (`WriteScope.key`). An urgent one isn't refused because others wait.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    @discardableResult
    package func write<T: Sendable>(
        for device: DeviceIdentifier, isUrgent: Bool = false,
        _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await write(.key(device.rawValue), isUrgent: isUrgent, body)
    }

    /// Runs a closure that changes the rows of a scope.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    @discardableResult
    package func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        let (value, committed) = try await database.write(rows, isUrgent: isUrgent) {
            [environment, now = clock.now()] in
            try StoreTransaction($0, in: environment, at: now).tallied(body)
        }
        meters.count(committed)
        return value
    }

    /// Runs a closure that changes nothing and sees one committed state. An
    /// urgent one isn't refused because others wait.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    package func read<T: Sendable>(
        isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await database.read(isUrgent: isUrgent) { [environment, now = clock.now()] in
            try body(StoreTransaction($0, in: environment, at: now))
        }
    }
}

extension UseCase {
    @discardableResult
    func write<T: Sendable>(
        isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await context.write(isUrgent: isUrgent, body)
    }

    @discardableResult
    func write<T: Sendable>(
        for account: AccountIdentifier, isUrgent: Bool = false,
        _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await context.write(for: account, isUrgent: isUrgent, body)
    }

    @discardableResult
    func write<T: Sendable>(
        for device: DeviceIdentifier, isUrgent: Bool = false,
        _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await context.write(for: device, isUrgent: isUrgent, body)
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await context.write(rows, isUrgent: isUrgent, body)
    }

    func read<T: Sendable>(
        isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await context.read(isUrgent: isUrgent, body)
    }
}
