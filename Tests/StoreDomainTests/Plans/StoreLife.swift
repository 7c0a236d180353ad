// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// A scenario that runs every statement of the store.
struct StoreLife {
    let store: TestStore
    /// The store's database without its recorder, for changes that no
    /// operation makes.
    let unrecorded: any Database

    /// The files whose statements read whole tables: copying a store, a
    /// report of all sales, deletions in a store inside a test, and the reset
    /// of a store.
    static let wholeTables = [
        "Copying/CopyingStore.swift", "Sandbox/ReadingLedger.swift", "Sandbox/ForgettingPurchase.swift",
        "Sandbox/ResettingStore.swift",
    ]

    /// The files with the statements of the signing authority, which has a row
    /// for each certificate and each secret. `AuthorityRowsTests` and
    /// `StoreSecretTests` run them.
    static let ofTheAuthority = [
        "Authority/EncodedAuthority+Persistence.swift", "Authority/SecretRow+Persistence.swift",
    ]

    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let terms = "\"_openStoreKit\": { \"notSoldIn\": [\"JPN\"] }"

    /// All operations of customers and of the store itself, with every
    /// outcome that a request can have.
    func live() async throws {
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        try await change()
        try await ChangingNotificationAddresses(store.context).add("https://seller.example/", of: Self.app)
        try await signIn(anna, on: phone)
        try await buy(as: anna, on: phone)
        try await fail(as: anna, on: phone)
        for answer in ["confirm", "decline", "expire"] { try await payLater(answer, as: anna, on: phone) }
        try await decide(on: phone)
        try await renew(as: anna, on: phone)
        try await share(as: anna)
        try await report(of: anna, to: phone)
        try await keepValues(of: anna, on: phone)
        try await host(for: phone)
        try await keepHouse()
        try await handOver(from: phone, as: anna)
        try await verifyReceipts(of: anna, on: phone)
        try await renewOnTime()
        try await extend()
        try await notify()
        try await offer()
        try await changePrices()
        try await redeemCodes()
        try await raise()
        try await payByMethods()
        try await sellItems()
        try await runTeam()
        try await grow(older: 200, phone)
        try await leave(anna, on: phone)
        try await grow(older: 4000)
    }

    /// The operations that read whole tables.
    ///
    /// - Returns: The statements that ran in the copies of the store.
    func readWholeTables() async throws -> Set<String> {
        _ = try await store.ledger()
        let berta = try await store.addAccount("berta@example.com")
        let tablet = try await store.addDevice(2)
        let apple = try await tablet.buy("apple", request: "apple", as: berta)
        _ = try await ForgettingPurchase(store.context)(TransactionIdentifier(apple.transactionIdentifier))
        let copied = try await copy(afterIncomplete: false).union(copy(afterIncomplete: true))
        try await ResettingStore(store.context)()
        return copied
    }

    private func copy(afterIncomplete isIncomplete: Bool) async throws -> Set<String> {
        let folder = try TemporaryFolder()
        let target = try Engine.sqliteMemory.open(in: folder)
        try await Schema.migrate(target)
        if isIncomplete { try await target.write { try $0.run("INSERT INTO copy_under_way (begun_at) VALUES (1)") } }
        let recorder = RecordingDatabase(target)
        _ = try await CopyingStore(from: store.context.database, to: recorder)(now: store.clock.now)
        try target.close()
        return Set(recorder.statements.keys)
    }

    /// The catalogue's changes.
    private func change() async throws {
        let app = App(bundleIdentifier: Self.app, name: "Fruit")
        var configuration = try StoreKitConfigurationFile(
            Data(TestStore.catalogue.utf8), file: "test.storekit", bundleIdentifier: Self.app)
        configuration.products.append(
            Product(
                bundleIdentifier: Self.app, productIdentifier: "melon", kind: .consumable, referenceName: "Melon",
                milliunits: 990, prices: ["DEU": 1090], localizations: []))
        try await store.sellOnly("apple")
        // A subscription that the next file withdraws.
        let subscriptions = try SubscriptionImportTests.file(["\"groupNumber\": 2": "\"groupNumber\": 2, \(Self.terms)"]
        )
        _ = try await ImportingCatalogue(store.context).preview(subscriptions, into: Self.app)
        try await ImportingCatalogue(store.context)(subscriptions, into: app)
        _ = try await ExportingCatalogue(store.context)(Self.app)
        try await ImportingCatalogue(store.context)(configuration, into: app)
        try await ImportingCatalogue(store.context)(configuration, into: app, onlyIfChanged: true)
        try await store.service.limit(product: "melon", of: Self.app, isNotSoldIn: ["DEU"])
        for price in ["0.99", nil] {
            try await store.service.setPrice(product: "juice", of: Self.app, in: "DEU", to: price)
        }
    }

    private func signIn(_ anna: Account, on phone: TestDevice) async throws {
        let sheet = try phone.token(try await phone.ask("juice", request: "wrong-password").sheet)
        for token in [nil, sheet] {
            await #expect(throws: DomainError.self) {
                _ = try await store.service.signIn(email: anna.email, password: "wrong", onSheet: token)
            }
            store.clock.advance(by: .seconds(60))
            _ = try await store.service.signIn(email: anna.email, password: TestStore.password, onSheet: token)
        }
        let session = try await store.service.openSheetSession(for: anna)
        _ = try await store.service.sheetSession(session)
        for identifiers in [["apple"], ["apple", "juice"]] {
            _ = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: ["de"]))
        }
    }

    /// Bought, delivered again, finished and restored.
    private func buy(as anna: Account, on phone: TestDevice) async throws {
        let apple = try await phone.buy("apple", request: "apple", as: anna)
        let again = try await phone.buy("apple", request: "apple-again", as: anna)
        let seed = try await phone.buy("seed", request: "seed", as: anna)
        let juice = try await phone.buy("juice", request: "juice", as: anna)
        _ = try await phone.queue()
        _ = try await phone.receiptAnswer()
        for asked in [[apple], [apple, juice]] {
            let identifiers = asked.map(\.transactionIdentifier)
            _ = try await states(of: identifiers.map { TransactionIdentifier($0) })
            _ = try await phone.call(
                TransactionReceiptsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, applicationVersion: "1.0", transactions: identifiers))
        }
        for bought in [juice, apple, again] { try await phone.finish(bought.transactionIdentifier) }
        _ = try await phone.restore(request: "restore-one")
        try await phone.finish(seed.transactionIdentifier)
        _ = try await phone.restore(request: "restore-two")
    }

    /// Declined, used twice, cancelled, closed, left alone.
    private func fail(as anna: Account, on phone: TestDevice) async throws {
        store.cardLimit.milliunits = 0
        let declined = try phone.token(try await phone.ask("juice", request: "declined").sheet)
        await #expect(throws: DomainError.self) {
            _ = try await store.service.buy(onSheet: declined, as: anna, shown: nil)
        }
        store.cardLimit.milliunits = .max
        var counted = SandboxAnswer()
        counted.times = 1
        try await SettingSandboxAnswer(store.context)(counted, email: nil)
        let used = try phone.token(try await phone.ask("juice", request: "used").sheet)
        _ = try await store.service.buy(onSheet: used, as: anna, shown: nil)
        await #expect(throws: DomainError.self) {
            _ = try await store.service.buy(onSheet: used, as: anna, shown: nil)
        }
        _ = try await store.service.sheet(declined, as: anna)
        try await store.service.closeSheet(declined)
        _ = try await store.service.sheet(declined)
        try await store.service.cancelSheet(declined)
        for _ in 0..<2 { _ = try await phone.ask("juice", request: "left") }
    }

    /// A payment that is answered later, and then contradicted.
    private func payLater(_ answer: String, as anna: Account, on phone: TestDevice) async throws {
        try await store.answerPayments {
            $0.hasAction = true
            $0.isSentTwice = true
        }
        let sheet = try phone.token(try await phone.ask("juice", request: answer).sheet)
        _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
        _ = try await store.service.sheet(sheet)
        let number = try #require(try await ListingPayments(store.context)().first?.payment.number)
        _ = try await store.service.sandboxPayment(number)
        await #expect(throws: DomainError.self) { try await ClosingAccount(store.context)(email: anna.email) }
        if answer == "expire" {
            store.clock.advance(by: .seconds(600))
            await store.service.receiveProviderEvents()
            await store.service.handleProviderEvents()
            try await RecoveringPayments(store.context)(begunUntil: WallTime(milliseconds: .max))
        } else {
            try await store.service.answerOnPage(number, isConfirmed: answer == "confirm")
            store.clock.advance(by: .seconds(1))
            try await store.service.answer(number, isConfirmed: answer != "confirm")
        }
        try await store.service.receive(
            ProviderEvent(identifier: "dispute of \(answer)", payment: number, kind: .disputed))
        await store.service.handleProviderEvents()
        try await SettingSandboxAnswer(store.context)(nil, email: nil)
    }

    /// The decisions of parents and operators.
    private func decide(on phone: TestDevice) async throws {
        _ = try await store.service.change(account: "anna@example.com", .init(switches: [.asksToBuy: true]))
        _ = try await phone.ask("pear", request: "pear")
        let number = try await store.onlyUndecided()
        _ = try await store.service.approve(number)
        // Repeated, as after a lost answer.
        for _ in 0..<2 {
            try await store.service.refund(number, identifier: String(repeating: "5e", count: 16))
        }
        // Of a device that never had it.
        try await store.addDevice(9).finish(number.rawValue)
        try await store.service.reverseRefund(of: number)
        // A part, then the rest.
        try await store.service.refund(number, amount: "0.10")
        try await store.service.refund(number)
        _ = try await phone.ask("pear", request: "pear-again")
        _ = try await store.service.decline(try await store.onlyUndecided())
        _ = try await store.service.change(account: "anna@example.com", .init(switches: [.asksToBuy: false]))
    }

    /// A transaction that each device finishes for itself. The store doesn't
    /// sell any yet.
    private func renew(as anna: Account, on phone: TestDevice) async throws {
        let juice = try await phone.buy("juice", request: "renewal", as: anna)
        try await unrecorded.write { connection in
            _ = try connection.run(
                "UPDATE purchase SET kind = $2 WHERE environment = 'Sandbox' AND transaction_id = $1",
                [juice.transactionIdentifier, Product.Kind.autoRenewable.rawValue])
        }
        try await phone.finish(juice.transactionIdentifier)
    }

    /// A contact that is shared with a seller, the products of a group, and
    /// the end of a browser's session.
    private func share(as anna: Account) async throws {
        let listing = ListingPurchases(store.context)
        let bought = try await listing(of: anna.identifier, bundleIdentifier: Self.app).purchases
        let purchase = try #require(bought.first)
        let contact = try SharedContact(name: "Anna", email: "", postcode: "1010", of: anna)
        try await store.context.write(for: anna.identifier) { db in
            #expect(try !SharedContact.exists(of: anna.identifier, bundleIdentifier: Self.app, db))
            try contact.insert(with: purchase, db)
        }
        #expect(try await !ListingContacts(store.context)(of: Self.app).isEmpty)
        _ = try await store.context.read { db in try Catalogue.products(inGroup: "g", of: Self.app, db) }
        let session = try await store.service.openSheetSession(for: anna)
        try await store.service.closeSheetSession(session)
        #expect(try await store.service.sheetSession(session) == nil)
        try await manage(anna)
    }

    /// A new address and a forgotten password, by links in messages.
    private func mail(_ email: String) async throws {
        let mail = RecordedMail()
        var context = store.context
        context.mail = mail
        let anna = try await store.service.account(email)
        try await OrderingMail(context).address("b@example.com", of: anna)
        try await send(context)
        try await ChangingAddress(context)(try #require(mail.token("/account/email/")))
        let moved = try await store.service.account("b@example.com")
        try await store.context.write(for: anna.identifier) { db in try moved.setEmail(email, db) }
        try await OrderingMail(context).forgotten(email: email)
        try await send(context)
        let token = try #require(mail.token("/account/reset/"))
        try await ResettingPassword(context)(token, to: TestStore.password, from: nil)
    }

    private func send(_ context: StoreContext) async throws {
        try await SendingMail(context)(publicURL: "https://store.example") { Issue.record("\($0)") }
    }

    /// The pages of a customer's sessions and devices, and a new password.
    private func manage(_ anna: Account) async throws {
        let service = store.service
        var token = try await service.openSheetSession(for: anna)
        token = try await service.openSheetSession(for: anna, replacing: token)
        store.clock.advance(by: .seconds(600))
        let session = try #require(try await service.browserSession(token)).session
        try await service.endSession(session.identifier, of: anna)
        let tablet = try await store.addDevice(4)
        try await tablet.signIn(anna)
        #expect(try await service.devices(of: anna).count == 2)
        try await service.remove(DeviceIdentifier(tablet.credentials.identifier), of: anna)
        let changed = try await service.changePassword(of: anna, to: "another horse")
        _ = try await service.changePassword(of: changed, to: TestStore.password)
        _ = try await ListingAccounts(store.context)()
        try await mail(anna.email)
    }

    /// Reads of devices, sellers' servers and operators.
    private func report(of anna: Account, to phone: TestDevice) async throws {
        _ = try await phone.receiptAnswer()
        let position = EventPosition(account: anna.identifier.rawValue, number: 1)
        _ = try await phone.call(QueueCall(bundleIdentifier: TestStore.bundleIdentifier, position: position))
        // A stream that begins, and one that continues after a number.
        for position in [nil, position] {
            let events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: position))
            for try await _ in events { break }
        }
        let device = DeviceIdentifier(phone.credentials.identifier)
        _ = try await ReadingDeviceNews(store.context)(of: device, after: 0)
        _ = try await ReadingNewestNumbers(store.context)(of: [device])
        _ = try await ReadingNewestNumbers(store.context)(of: [anna.identifier, "a1"])
        let list = ListingPurchases(store.context)
        _ = try await list(of: anna.identifier, bundleIdentifier: Self.app)
        _ = try await list(in: Self.app)
        _ = try await list.changed(after: .init(account: anna.identifier, number: 1), bundleIdentifier: Self.app)
        try await lookUpOlderNumber(on: phone)
        try await askForRefunds(of: anna)
    }

    /// Pages of the purchases, and requests for refunds of some.
    private func askForRefunds(of anna: Account) async throws {
        let read = ReadingPurchaseHistory(store.context)
        let entries = try await read(of: anna.identifier).entries
        let last = try #require(entries.last?.purchase.transactionIdentifier)
        _ = try await read(of: anna.identifier, before: last)
        _ = try await read.entry(last, of: anna.identifier)
        let (ask, decide) = (AskingForRefund(store.context), DecidingRefund(store.context))
        let paid = entries.map(\.purchase).filter { $0.price.milliunits > 0 && $0.revoked == nil }
        let purchase = try #require(paid.first { $0.kind == .consumable } ?? paid.first)
        let request = try await ask(
            purchase.transactionIdentifier, of: anna.identifier, because: .broken, comment: "It is sour.")
        _ = try await decide.waiting(after: request.identifier)
        _ = try await decide.decline(request.identifier)
        try await sell(purchase, of: anna)
    }

    /// Looks up a number without a bucket.
    private func lookUpOlderNumber(on phone: TestDevice) async throws {
        let older = TransactionIdentifier("2000000000000001")
        #expect(try await states(of: [older]).isEmpty)
        try await phone.finish(older.rawValue)
        await #expect(throws: DomainError.self) { _ = try await store.service.refund(older) }
    }

    private func states(
        of transactions: [TransactionIdentifier]
    ) async throws -> [TransactionIdentifier: LookingUpPurchases.State] {
        try await store.context.read { db in try LookingUpPurchases.states(of: transactions, in: Self.app, db) }
    }

    private func keepValues(of anna: Account, on phone: TestDevice) async throws {
        let known = AccountEvent.Position(account: anna.identifier, number: 1)
        // There is no room to keep the first removal.
        let writes: [(key: String, value: String?, known: AccountEvent.Position?, keys: Int)] = [
            ("level", "MQ==", nil, 1024), ("level", "Mg==", known, 1024), ("level", nil, known, 0),
            ("name", "MQ==", known, 1024), ("name", nil, known, 1024),
        ]
        for (number, write) in writes.enumerated() {
            _ = try await SynchronizingKeyValues(store.context)(
                [.init(KeyValue(key: write.key, value: write.value), sequence: Int64(number + 1))], known: write.known,
                of: Self.app, on: DeviceIdentifier(rawValue: phone.credentials.identifier),
                limits: .init(keys: write.keys, keyBytes: 64, valueBytes: 1 << 20))
        }
    }

    /// The store's housekeeping.
    private func keepHouse() async throws {
        store.clock.advance(by: .seconds(3600))
        _ = try await ExpiringSheets(store.context)()
        try await RecoveringPayments(store.context)(begunUntil: store.clock.now)
        _ = try await ReadingBacklogs(store.context)()
        _ = try await CheckingSchema(store.context)()
        _ = try await store.service.reportNode("node")
        try await store.service.endNode("node")
        try await leaseWork()
        try await takeAgesAway()
        try await deleteOldRows()
    }

    /// The leases of payments that aren't complete, and their end.
    private func leaseWork() async throws {
        let lease = Lease.payment("p1")
        _ = try await store.context.write(.key("test")) { db in try Lease.take(.payment, [lease.key], db) }
        store.context.leases.hold([lease])
        try await RenewingLeases(store.context)()
        await RenewingLeases(store.context).release(lease)
        try await ReleasingLeases(store.context)()
    }

    /// Gives an unfinished consumable of a device that is absent to another.
    private func handOver(from phone: TestDevice, as anna: Account) async throws {
        let tablet = try await store.addDevice(3)
        for (number, device) in [phone, tablet].enumerated() {
            try await device.buy("juice", request: "to hand over", as: anna)
            store.clock.advance(days: 2 * number)
            _ = try await store.service.feed(
                EventSubscription(
                    credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
        }
        try await HandingOverConsumables(store.context)() { report in
            if case .failure(let error) = report { Issue.record("\(error)") }
        }
    }

    /// Lets days pass, in which only the devices call, and deletes old rows.
    private func grow(older days: Int, _ devices: TestDevice...) async throws {
        store.clock.advance(days: days)
        for device in devices { _ = try await device.queue() }
        try await deleteOldRows()
    }

    /// Leaves some rows without an age, as an older version did.
    private func takeAgesAway() async throws {
        try await unrecorded.write { connection in
            for statement in [
                "UPDATE event SET created_at = NULL WHERE environment = 'Sandbox' AND account_id = 'a1'",
                "UPDATE request SET changed_at = NULL WHERE environment = 'Sandbox' AND device_id = 'd1'",
                "UPDATE device SET seen_at = NULL WHERE environment = 'Sandbox' AND device_id = 'd1'",
                """
                UPDATE restored_transaction SET created_at = NULL WHERE environment = 'Sandbox' AND device_id = 'd1'
                """,
                "UPDATE key_value SET removed_at = NULL WHERE environment = 'Sandbox' AND account_id = 'a1'",
                "UPDATE sandbox_payment SET created_at = NULL WHERE payment_number = 'p1'",
            ] {
                try connection.run(statement)
            }
        }
    }

    private func deleteOldRows() async throws {
        await DeletingOldRows(store.context)(pages: 2) { report in
            if case .failed(let kind, let error) = report { Issue.record("\(kind): \(error)") }
        }
    }

    private func leave(_ anna: Account, on phone: TestDevice) async throws {
        _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
        _ = try await phone.restore(request: "restore-signed-out")
        try await ClosingAccount(store.context)(email: anna.email)
    }
}
