// SPDX-License-Identifier: Apache-2.0

import Metrics
package import StoreCore
package import StoreDatabase

/// The dependencies that all use cases of one environment share. Made once,
/// when the process starts.
package struct StoreContext: Sendable {
    /// The opened database of the store.
    package let database: any Database
    /// Sandbox or production. The context reads and writes only its rows.
    package let environment: StoreEnvironment
    /// The source of the wall time and of pauses.
    package let clock: WallClock
    /// The source of identifiers, keys and other random values.
    package let random: RandomSource
    /// The provider that collects the money.
    package let provider: any PaymentProvider
    /// Called with the name of each step of a purchase, at which a test may end
    /// the process.
    package let faults: FaultHandler
    /// Carries the announcements of commits to all nodes of the store.
    package let bus: any NewsBus
    /// Whether no other process can serve the store.
    package let isOnlyNode: Bool
    /// The leases on whose rows this process works.
    let leases: HeldLeases
    /// The counters of the use cases.
    package let meters: StoreMeters
    /// The threads that hash passwords.
    package let hashing: PasswordHashing
    /// How long rows that the books don't need are kept.
    package let retention: Retention
    /// How long a request waits for an approval (Ask to Buy); `nil` without an
    /// end.
    package let askToBuyLimit: Duration?
    /// Where hosted content is kept; `nil` for a store without any. It is set
    /// after the database is opened, which has the name of the store's part of
    /// the storage.
    package var hosting: ContentHosting?

    /// Sends messages to customers; `nil` for a store that sends none.
    package var mail: (any MailSender)?

    /// Sends notifications to sellers' servers; `nil` for a store that sends
    /// none.
    package var notifications: (any NotificationSender)?

    /// Whether a submitted product is approved without the operator's review.
    package var approvesProducts = false

    /// Makes the QR codes of authenticator apps; `nil` for a store that shows
    /// the secret as text only.
    package var qrCodes: (any QRCodeMaker)?

    /// Called in each write transaction before its changes. A use case of
    /// Connect has its user's right checked so, and the log's entry saved, in the
    /// transaction of another use case.
    var beginsWrites: @Sendable (StoreTransaction) throws -> Void = { _ in }

    /// The time after which a change in Connect reaches the products that
    /// are sold.
    package var propagation = Propagation()

    /// Whether the operator looks at submitted products. Both environments
    /// have the same products and one queue; the sandbox sells them without it.
    package var reviewsProducts: Bool { !approvesProducts }

    package init(
        database: any Database, environment: StoreEnvironment, clock: WallClock, random: RandomSource,
        provider: any PaymentProvider, faults: @escaping FaultHandler = { _ in }, meters: StoreMeters? = nil,
        retention: Retention = Retention(), bus: any NewsBus = LocalNewsBus(), isOnlyNode: Bool = false,
        leaseDuration: Duration = Lease.duration, askToBuyLimit: Duration? = nil, hosting: ContentHosting? = nil,
        mail: (any MailSender)? = nil, notifications: (any NotificationSender)? = nil,
        passwordCost: PasswordCost = PasswordCost()
    ) {
        self.database = database
        self.environment = environment
        self.clock = clock
        self.random = random
        self.provider = provider
        self.faults = faults
        self.meters = meters ?? StoreMeters(NOOPMetricsHandler.instance, environment: environment)
        self.retention = retention
        self.bus = bus
        self.isOnlyNode = isOnlyNode
        self.askToBuyLimit = askToBuyLimit
        self.hosting = hosting
        self.mail = mail
        self.notifications = notifications
        hashing = PasswordHashing(cost: passwordCost)
        leases = HeldLeases(owner: random.hexadecimal(bytes: 8), duration: leaseDuration)
    }

    /// A new transaction identifier whose account isn't known yet.
    func newTransactionSerial() -> TransactionSerial {
        TransactionSerial(random.serial(at: clock.now().milliseconds / 1000), in: environment)
    }

    func newTransactionIdentifier(for account: AccountIdentifier) -> TransactionIdentifier {
        newTransactionSerial().identifier(for: account)
    }

    /// A new random payment identifier.
    func newPaymentIdentifier() -> PaymentIdentifier {
        PaymentIdentifier(random.hexadecimal(bytes: 16))
    }

    /// The message of an error that says that the database is locked, full,
    /// read-only, closed, unreachable or has too much to do; `nil` for other
    /// errors. Repeating the request later is safe.
    package static func outage(_ error: any Error) -> String? {
        guard let error = error as? DatabaseError,
            [.busy, .overloaded, .diskFull, .readOnly, .closed, .unreachable].contains(error.code)
        else { return nil }
        return error.message
    }

    /// Whether the error says that the database has too much to do. Nothing is
    /// out of order then, and the transaction was not begun.
    package static func isOverload(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .overloaded
    }

    /// Whether the error says that another connection has the database
    /// locked.
    package static func isContention(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .busy
    }

    /// Whether the error says that a row that a change needs doesn't exist any
    /// more, because the store was emptied meanwhile.
    package static func isRemovedRow(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.code == .constraintViolation
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
