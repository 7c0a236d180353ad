// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLDatabase {
    /// How to work with a server; the defaults suit a store.
    package struct Options: Sendable {
        /// How many connections there are at most, each with its thread. A
        /// connection is opened when all others are busy.
        package var connections = 16

        /// How long one host is waited for. The URL's `connect_timeout` wins.
        package var connectTimeout: Duration = .seconds(10)

        /// How long a statement may take. The schema's steps take as long as
        /// they need.
        package var statementTimeout: Duration = .seconds(30)

        /// How long a closure may leave its transaction alone before the
        /// server undoes it: a process that was stopped holds no lock for ever.
        package var idleInTransactionTimeout: Duration = .seconds(60)

        /// How long a statement waits for another transaction's lock.
        package var lockTimeout: Duration = .seconds(10)

        /// How long a lost server is waited for before its callers are told.
        package var reconnectTimeout: Duration = .seconds(30)

        /// How often a closure runs at most when others are in its way.
        package var attempts = 40

        /// The statement that locks an account's row, which may not be there;
        /// `$1` is the account. It comes from whoever knows the tables.
        package var accountLock: String

        package init(accountLock: String) {
            self.accountLock = accountLock
        }
    }
}
