// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase

/// What every use case works with: one environment of one store, on its
/// database. Made once, at start.
package struct StoreContext: Sendable {
    package let database: any Database
    package let environment: StoreEnvironment
    package let random: RandomSource
    /// Where the money comes from.
    package let provider: any PaymentProvider
    package let faults: FaultPoint
    package let hashing = PasswordHashing()

    package init(
        database: any Database, environment: StoreEnvironment, random: RandomSource, provider: any PaymentProvider,
        faults: @escaping FaultPoint = { _ in }
    ) {
        self.database = database
        self.environment = environment
        self.random = random
        self.provider = provider
        self.faults = faults
    }

    /// Why the database can't answer now, when an error says so: it is
    /// locked, full, closed or away, and repeating the request is safe and helps.
    package static func outage(_ error: any Error) -> String? {
        guard let error = error as? DatabaseError,
            [.busy, .diskFull, .readOnly, .closed, .unreachable].contains(error.code)
        else { return nil }
        return error.message
    }

    /// Whether that is only because others have it locked.
    package static func isContention(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .busy
    }

    /// Whether a value that came from outside can't be stored.
    package static func isBadValue(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .value
    }
}

/// Something that can be done in the store: one file each, which opens the
/// transaction, loads, lets the rules decide, and saves.
package protocol UseCase: Sendable {
    var context: StoreContext { get }
}

extension UseCase {
    var database: any Database { context.database }
    var environment: StoreEnvironment { context.environment }
    var random: RandomSource { context.random }
    var faults: FaultPoint { context.faults }
}
