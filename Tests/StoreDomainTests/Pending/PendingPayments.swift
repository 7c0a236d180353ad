// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

extension TestStore {
    /// Sets how the sandbox's provider answers the next payments.
    func answerPayments(_ change: (inout SandboxAnswer) -> Void = { _ in }) async throws {
        var answer = SandboxAnswer()
        answer.kind = .pending
        change(&answer)
        try await SettingSandboxAnswer(context)(answer, email: nil)
    }

    /// The number of the newest payment with a status; `nil` when there is
    /// none.
    func payment(_ status: String) async throws -> PaymentIdentifier? {
        try await context.database.read { connection in
            try connection.row("SELECT payment_number FROM payment WHERE status = $1", [status])?
                .get("payment_number")
        }
    }

    /// The recorded results of the provider's events, in order of their
    /// identifiers; "waits" for an event that isn't handled.
    func outcomes() async throws -> [String] {
        try await context.database.read { connection in
            try connection.rows(
                "SELECT COALESCE(outcome, 'waits') AS outcome FROM provider_event ORDER BY event_id", []
            ).map { try $0.get("outcome") }
        }
    }

    /// Runs the periodic work on payments once.
    func settlePayments() async throws {
        await service.receiveProviderEvents()
        await service.handleProviderEvents()
        try await recover()
    }
}

extension Customer {
    /// Presses Buy on a sheet for an apple, whose payment is then pending.
    func buyPendingApple(request: String = "r1") async throws -> String {
        let sheet = try await appleSheet(request: request)
        let bought = try await phone.store.service.buy(onSheet: sheet, as: account, shown: nil)
        #expect(bought.status == .processing)
        return sheet
    }
}

extension TestStore {
    /// Opens an account without a password, signed in on a device.
    func customer() async throws -> Customer {
        let phone = TestDevice(number: 1, store: self)
        let account = try await OpeningTestAccount(context)(
            email: "anna@example.com", storefront: "USA",
            device: DeviceIdentifier(rawValue: phone.credentials.identifier), secret: phone.credentials.secret)
        return Customer(account: account, phone: phone)
    }
}

/// The database of a process that a test lets die: from then on every call
/// fails.
final class MortalDatabase: PassingDatabase {
    struct Death: Error {}

    let engine: any Database
    private let dead = Mutex(false)

    init(_ engine: any Database) {
        self.engine = engine
    }

    var isDead: Bool { dead.withLock { $0 } }

    func die() { dead.withLock { $0 = true } }

    private func check() throws {
        if isDead { throw Death() }
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try check()
        return try await engine.write(rows, isUrgent: isUrgent, body)
    }

    func read<T: Sendable>(
        isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try check()
        return try await engine.read(isUrgent: isUrgent, body)
    }

    @discardableResult
    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try check()
        return try engine.writeAndWait(body)
    }

    func readAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        try check()
        return try engine.readAndWait(body)
    }
}
