// SPDX-License-Identifier: Apache-2.0

package import StoreCore
package import StoreDatabase

/// The dependencies that all use cases of one environment share. Made once,
/// when the process starts.
package struct StoreContext: Sendable {
    package let database: any Database
    package let environment: StoreEnvironment
    package let clock: WallClock
    package let random: RandomSource
    /// The provider that collects the money.
    package let provider: any PaymentProvider
    package let faults: FaultHandler
    package let hashing = PasswordHashing()

    package init(
        database: any Database, environment: StoreEnvironment, clock: WallClock, random: RandomSource,
        provider: any PaymentProvider, faults: @escaping FaultHandler = { _ in }
    ) {
        self.database = database
        self.environment = environment
        self.clock = clock
        self.random = random
        self.provider = provider
        self.faults = faults
    }

    /// A new random transaction identifier.
    func newTransactionIdentifier() -> TransactionIdentifier {
        TransactionIdentifier(random.decimal(prefix: environment.transactionPrefix, digits: 16))
    }

    /// A new random payment identifier.
    func newPaymentIdentifier() -> PaymentIdentifier {
        PaymentIdentifier(random.hexadecimal(bytes: 16))
    }

    /// The message of an error that says that the database is locked, full,
    /// read-only, closed or unreachable; `nil` for other errors. Repeating
    /// the request later is safe.
    package static func outage(_ error: any Error) -> String? {
        guard let error = error as? DatabaseError,
            [.busy, .diskFull, .readOnly, .closed, .unreachable].contains(error.code)
        else { return nil }
        return error.message
    }

    /// Whether the error says that another connection has the database
    /// locked.
    package static func isContention(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .busy
    }

    /// Whether the error says that the database can't store a value of the
    /// request.
    package static func isBadValue(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .value
    }
}

/// An operation of the store. Each has a file of its own, which opens the
/// transaction, loads, decides by the domain's rules, and saves.
package protocol UseCase: Sendable {
    /// The dependencies of the operation.
    var context: StoreContext { get }
}

extension UseCase {
    var database: any Database { context.database }
    var environment: StoreEnvironment { context.environment }
    var now: WallTime { context.clock.now() }
    var random: RandomSource { context.random }
    var faults: FaultHandler { context.faults }
}
