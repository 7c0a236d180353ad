// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

extension PostgreSQLDatabase {
    /// Limits and settings of a database; the defaults suit a store.
    package struct Options: Sendable {
        /// The maximum number of connections, each with its thread. A
        /// connection is opened when all others are busy.
        package var connections = 16

        /// How long to wait for one host. The URL's `connect_timeout`
        /// overrides it.
        package var connectTimeout: Duration = .seconds(10)

        /// How long a statement may take. Changes of the schema have no limit.
        package var statementTimeout: Duration = .seconds(30)

        /// How long a transaction may be idle before the server rolls it back.
        /// A process that is stopped inside a transaction then releases its
        /// locks.
        package var idleInTransactionTimeout: Duration = .seconds(60)

        /// How long a statement waits for another transaction's lock.
        package var lockTimeout: Duration = .seconds(10)

        /// How long a call waits for an unreachable server before it throws.
        package var reconnectTimeout: Duration = .seconds(30)

        /// How often a closure runs at most because of conflicts with other
        /// transactions or lost connections.
        package var attempts = 40

        /// The numbers of calls that wait for a connection at most.
        package var limits = WaitingLimits()

        /// The statement that locks an account's row; `$1` is the account. The
        /// row may be missing. The module that makes the tables defines it.
        package var accountLock: String

        package init(accountLock: String) {
            self.accountLock = accountLock
        }
    }
}
