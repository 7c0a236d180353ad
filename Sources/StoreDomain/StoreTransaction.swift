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
    /// The identifier of this process in its leases.
    let leaseOwner: String
    /// How long a lease of this process lasts.
    let leaseDuration: Duration
    /// How long a request waits for an approval; `nil` without an end.
    let askToBuyLimit: Duration?
    /// Whether the store sends messages to customers.
    let sendsMail: Bool
    /// The time after which a change in Connect reaches the products that are
    /// sold.
    let propagation: Propagation
    /// The changes to count after the commit.
    let tally = SaleTally()
    /// The events and news to publish after the commit.
    let announcements = AnnouncementList()

    init(_ connection: any Connection, of context: StoreContext, at now: WallTime) {
        self.connection = connection
        environment = context.environment
        leaseOwner = context.leases.owner
        leaseDuration = context.leases.duration
        askToBuyLimit = context.askToBuyLimit
        sendsMail = context.mail != nil
        propagation = context.propagation
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
    /// The result of a closure, with the changes and announcements of its
    /// transaction.
    fileprivate struct WriteResult<T: Sendable>: Sendable {
        var value: T
        var changes: [SaleTally.Entry]
        var announcements: [Announcement]
    }

    /// Runs a closure, and returns its result with the changes to count and
    /// the announcements to publish after the commit.
    fileprivate func outcome<T>(of body: (StoreTransaction) throws -> T) rethrows -> WriteResult<T> {
        let value = try body(self)
        return WriteResult(value: value, changes: tally.entries, announcements: announcements.entries)
    }
}

extension StoreContext {
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

    /// Runs a closure that changes the rows of a scope. There is no variant
    /// without one: a write of all rows has to name `WriteScope.all`.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    @discardableResult
    package func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        let outcome = try await database.write(rows, isUrgent: isUrgent) { [self, now = clock.now()] in
            try StoreTransaction($0, of: self, at: now).outcome { db in
                try beginsWrites(db)
                return try body(db)
            }
        }
        meters.count(outcome.changes)
        if !outcome.announcements.isEmpty { bus.publish(outcome.announcements) }
        return outcome.value
    }

    /// Runs a closure that changes nothing and sees one committed state. An
    /// urgent one isn't refused because others wait.
    ///
    /// - Throws: The error of the closure, or `DatabaseError`.
    package func read<T: Sendable>(
        isUrgent: Bool = false, _ body: @escaping @Sendable (StoreTransaction) throws -> T
    ) async throws -> T {
        try await database.read(isUrgent: isUrgent) { [self, now = clock.now()] in
            try body(StoreTransaction($0, of: self, at: now))
        }
    }
}

extension UseCase {
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
