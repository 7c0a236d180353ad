// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// A connection may be lost in a commit whose outcome can't be determined.
/// The closure runs again then, and finds the rows that it has written
/// itself.
struct LostCommitTests {
    @Test("A write that runs twice has its effect once, and the answer of a single run", arguments: Engine.allCases)
    func twice(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()

            let apple = try await phone.buy("apple", request: "apple", as: anna)
            let seed = try await phone.buy("seed", request: "seed", as: anna)
            let session = try await store.service.openSheetSession(for: anna)
            try await phone.finish(seed.transactionIdentifier)

            #expect(try await store.service.sheetSession(session)?.identifier == anna.identifier)
            #expect(try await phone.queue().map(\.transactionIdentifier) == [apple.transactionIdentifier])
            #expect(try await store.ledger() == [990, 0])
            #expect(try await store.count("payment") == 1)
            #expect(try await store.count("sandbox_payment", where: "status = 'captured'") == 1)
            #expect(try await store.count("account") == 1)
        }
    }

    @Test("A new password, and the end of a session and of a sign-in, may be written twice", arguments: Engine.allCases)
    func accounts(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "apple", as: anna)
            _ = try await store.service.openSheetSession(for: anna)

            let session = try #require(try await store.service.sessions(of: anna).first)
            try await store.service.endSession(session.identifier, of: anna)
            try await store.service.remove(DeviceIdentifier(phone.credentials.identifier), of: anna)
            let changed = try await store.service.changePassword(of: anna, to: "another horse")

            #expect(changed.passwordNumber == 1)
            #expect(try await store.service.signIn(email: anna.email, password: "another horse") == changed)
            #expect(try await store.count("sheet_session") == 0)
            #expect(try await store.count("device_news", where: "kind = 'account'") == 2)
        }
    }

    @Test(
        "A child's choice of a plan that is written twice waits once, and its approval is answered",
        arguments: Engine.allCases)
    func plan(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let plain = try await TestStore(database)
            try await plain.sellBaskets()
            let home = try await Household(in: plain)
            try await home.approve(try await home.ask("small", request: "first"), by: home.olga)
            let carl = Subscriber(store: plain, account: home.carl, phone: home.phone)
            let number = try await carl.subscription().subscription.original
            let store = try await TestStore(Forgetful(database), clock: plain.clock, seed: 8)
            try await store.sellBaskets()
            try await store.service.choose("yearly", of: number, account: home.carl)
            let requests = try await home.requests(for: home.paul)
            #expect(requests.count == 1)

            let request = try #require(requests.first)
            _ = try await store.service.approve(request.transaction, by: home.paul, shown: nil)

            #expect(try await carl.subscription().state.nextProduct == "yearly")
            #expect(try await carl.subscription().subscription.payer == home.paul.identifier)
        }
    }

    @Test("A request to buy that is written twice waits once, and is approved once", arguments: Engine.allCases)
    func askedAndApproved(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(Forgetful(database))
            let anna = try await store.addAccount()
            try await store.service.change(account: anna.email, .init(switches: [.asksToBuy: true]))
            let child = try await store.service.signIn(email: anna.email, password: TestStore.password)
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r1").sheet)

            let request = try await store.service.buy(onSheet: sheet, as: child, shown: nil)
            #expect(request.status == .deferred)
            let approved = try await store.service.approve(try #require(request.transactionIdentifier))

            #expect(approved.status == .done)
            #expect(try await store.ledger() == [990])
            #expect(try await store.count("payment") == 1)
        }
    }
}

/// Runs every write twice, as an engine does after it has lost a commit's
/// answer.
final class Forgetful: PassingDatabase {
    let engine: any Database

    init(_ engine: any Database) {
        self.engine = engine
    }

    @discardableResult
    func write<T: Sendable>(
        _ rows: WriteScope, isUrgent: Bool, _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        _ = try await engine.write(rows, isUrgent: isUrgent, body)
        return try await engine.write(rows, isUrgent: isUrgent, body)
    }

    func writeAndWait<T: Sendable>(_ body: @escaping @Sendable (any Connection) throws -> T) throws -> T {
        _ = try engine.writeAndWait(body)
        return try engine.write(body)
    }
}
