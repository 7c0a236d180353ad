// SPDX-License-Identifier: Apache-2.0

#if POSTGRESQL
import StoreDomain
package import StorePostgreSQL

extension PostgreSQLDatabase.Options {
    /// Options whose limits a test doesn't reach: a transaction that it holds
    /// open, and the statements that wait for it, wait for the turns of all
    /// other tests. A test that is about a limit sets its own.
    package static var patient: Self {
        var options = Self(accountLock: Schema.accountLock)
        options.connectTimeout = .beyondTests
        options.statementTimeout = .beyondTests
        options.idleInTransactionTimeout = .beyondTests
        options.lockTimeout = .beyondTests
        options.reconnectTimeout = .beyondTests
        options.attempts = 10_000
        return options
    }
}
#endif
