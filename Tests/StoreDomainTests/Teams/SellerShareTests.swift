// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// The shares of teams in the rows, the messages and the work of a store.
struct SellerShareTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let own: BundleIdentifier = "com.example.own"

    /// A store with another team that has an app.
    private func withTeam(
        _ engine: Engine, mail: RecordedMail? = nil, _ body: (TestStore, TeamUser) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, mail: mail)
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: Self.own.rawValue, name: "Own", sku: "O", primaryLocale: "en_US"), by: other)
            try await body(store, other)
        }
    }

    @Test("Sorted lists are merged, and read no further than the merged list is")
    func merged() throws {
        let reads = Mutex(0)
        func source(_ numbers: [Int]) -> MergedLists<Int>.Source {
            MergedLists<Int>.Source(batch: 2) { last in
                reads.withLock { $0 += 1 }
                return Array(numbers.drop { number in last.map { number >= $0 } ?? false }.prefix(2))
            }
        }
        var lists = try MergedLists([source([9, 7, 5, 3, 1]), source([8, 2]), source([])]) { $0 > $1 }
        let first = try [lists.next(), lists.next()]
        #expect(first == [9, 8])
        #expect(reads.withLock(\.self) == 3)
        var rest: [Int] = []
        while let next = try lists.next() { rest.append(next) }
        #expect(rest == [7, 5, 3, 2, 1])
    }

    @Test("The live page's search for a tester makes no statement for another tester's row", arguments: Engine.stores)
    func search(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database, keepsFirst: false)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            try await phone.buy("apple", request: "1", as: anna)
            for number in 2..<62 {
                store.clock.advance(by: .seconds(1))
                _ = try await store.addDevice(UInt8(number)).ask("juice", request: "1")
            }
            let before = recorder.count.statements
            let entries = try await store.service.activity(ActivityFilter(tester: anna.email), as: holder)
            #expect(entries.count == 1 && entries.first?.tester?.identifier == anna.identifier)
            #expect(recorder.count.statements - before < 40)
        }
    }

    private static func extending(_ number: Int) -> RenewalExtension {
        RenewalExtension(
            days: 10, reason: .outage,
            request: RenewalExtensionIdentifier("758883e8-151b-47b7-abd0-60c4d804c2\(number)"))
    }

    @Test("A product has one extension for all subscribers at a time, and an app some", arguments: Engine.stores)
    func extensions(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let ordering = OrderingMassExtension(store.context)
            for _ in 0..<2 { try await ordering("weekly", in: Self.app, by: Self.extending(10)) }
            await #expect(throws: ServerError.rateLimitExceeded) {
                try await ordering("weekly", in: Self.app, by: Self.extending(11))
            }
            try await CarryingOutMassExtensions(store.context)()
            try await ordering("weekly", in: Self.app, by: Self.extending(11))
            try await store.context.write(.all) { db in
                for number in 1..<MassExtension.mostOfAnApp {
                    try MassExtension(
                        bundleIdentifier: Self.app, product: ProductIdentifier("p\(number)"),
                        order: Self.extending(12), storefronts: [], created: db.now
                    ).insert(db)
                }
            }
            await #expect(throws: ServerError.rateLimitExceeded) {
                try await ordering("small", in: Self.app, by: Self.extending(13))
            }
        }
    }

    @Test(
        "An extension reads the subscriptions of its app, and a round a few orders of each team",
        arguments: Engine.stores)
    func rounds(engine: Engine) async throws {
        try await withTeam(engine) { store, _ in
            try await store.sellBaskets()
            for number in 0..<2 { try await store.subscriber(number).buy("weekly") }
            let page = try await ExtendingSubscription(store.context)(
                subscribersOf: "weekly", in: Self.own, by: Self.extending(10), pageSize: 1)
            #expect(page.next == nil, "The other app's subscriptions are no page of this one.")
            try await store.context.write(.all) { db in
                for number in 0..<6 {
                    try MassExtension(
                        bundleIdentifier: Self.app, product: ProductIdentifier("p\(number)"),
                        order: Self.extending(10), storefronts: [], created: db.now
                    ).insert(db)
                }
                try MassExtension(
                    bundleIdentifier: Self.own, product: "late", order: Self.extending(10), storefronts: [],
                    created: db.now + .seconds(1)
                ).insert(db)
            }
            let open = try await store.context.read { db in try MassExtension.open(limit: 20, ofATeam: 4, db) }
            #expect(open.map(\.bundleIdentifier) == Array(repeating: Self.app, count: 4) + [Self.own])
        }
    }

    @Test(
        "A page of the notifications' history looks at a number of them, and the next one goes on",
        arguments: Engine.stores)
    func history(engine: Engine) async throws {
        try await engine.withStore { store in
            let most = ReadingNotificationHistory.mostRows
            try await ChangingNotificationAddresses(store.context).add(TestStore.sellersServer, of: Self.app)
            try await store.context.write(.all) { db in
                for number in 0...most {
                    try NotificationCause(
                        number == 0 ? .extensionSummary : .test, in: Self.app, subject: "\(number)",
                        at: StoreTime(milliseconds: db.now.milliseconds + Int64(number))
                    ).insert(db)
                }
                try db.run("UPDATE notification SET payload = 'signed', signed_at = created_at", [])
                try db.run("UPDATE notification SET created_at = created_at - 1 WHERE subtype = 'SUMMARY'", [])
            }
            var filter = NotificationFilter(start: WallTime(milliseconds: 0), end: store.clock.now)
            filter.subtype = "SUMMARY"
            let reading = ReadingNotificationHistory(store.context)
            let first = try await reading(filter, in: Self.app, after: nil)
            #expect(first.notifications.isEmpty)
            let last = try await reading(filter, in: Self.app, after: first.next)
            #expect(last.notifications.count == 1 && last.next == nil)
        }
    }

    @Test("A test notification of the Server API waits for the one before", arguments: Engine.stores)
    func test(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, notifications: RecordedNotifications())
            try await ChangingNotificationAddresses(store.context).add(TestStore.sellersServer, of: Self.app)
            let reading = ReadingNotificationHistory(store.context)
            let first = try await reading.orderTest(in: Self.app)
            #expect(try await reading.orderTest(in: Self.app) == first)
            try await SigningNotifications(store.context, authority: store.service.authority)()
            #expect(try await reading.orderTest(in: Self.app) == first)
            #expect(try await store.count("notification") == 1)
            _ = try await store.service.settleNotifications(of: "", within: .seconds(60))
            store.clock.advance(by: .seconds(1))
            #expect(try await reading.orderTest(in: Self.app) != first)
        }
    }

    @Test("A team has a share of the hashes, and a tester's purchases are cleared in parts", arguments: Engine.stores)
    func testers(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            let managing = try store.service.managingTesters()
            let hashing = store.context.hashing
            let gate = Gate()
            defer { gate.open() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<PasswordHashing.placesOfAnOrigin {
                    group.addTask {
                        _ = try await hashing.run(from: "team other", isPreferred: true) {
                            gate.hold()
                            return Data()
                        }
                    }
                }
                while hashing.waiting < PasswordHashing.placesOfAnOrigin { try await letOthersRun() }
                let values = TesterValues(email: "tess@example.com", password: "secret", storefront: "DEU")
                await #expect(throws: DomainError(.busy, "")) { _ = try await managing.add(values, by: other) }
                gate.open()
                try await group.waitForAll()
            }
            let tess = try await managing.add(
                TesterValues(email: "tess@example.com", password: TestStore.password, storefront: "USA"), by: other)
            #expect(try await store.context.read { db in try Account.isFull(other.team, 1, db) })
            #expect(try await store.context.read { db in try !Account.isFull(other.team, 2, db) })

            let phone = try await store.addDevice()
            for number in 0..<2 { try await phone.buy("juice", request: "\(number)", as: tess) }
            await #expect(throws: DomainError(.busy, "")) {
                try await managing.clearPurchases(of: tess.identifier, atOnce: 1, by: other)
            }
            #expect(try await store.count("purchase") == 1)
            #expect(try await managing.clearPurchases(of: tess.identifier, atOnce: 1, by: other) == 1)
        }
    }

    @Test(
        "An account with many open requests ends in several writes, and with one entry of the log",
        arguments: Engine.stores)
    func closing(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            let managing = try store.service.managingTesters()
            let tess = try await managing.add(
                TesterValues(email: "tess@example.com", password: TestStore.password, storefront: "USA"), by: other)
            let device = DeviceIdentifier(rawValue: try await store.addDevice().credentials.identifier)
            try await store.context.write(.all) { db in
                for number in 0...ClosingAccount.batch {
                    var request = DeviceRequest(
                        device: device, identifier: RequestIdentifier("\(number)"), kind: .payment,
                        bundleIdentifier: Self.app, productIdentifier: "juice", quantity: 1, applicationUsername: nil)
                    request.status = .deferred
                    request.account = tess.identifier
                    request.transactionIdentifier = TransactionIdentifier("\(1000 + number)")
                    try request.insert(db)
                }
            }
            try await managing.remove(tess.identifier, by: other)
            #expect(try await store.count("request", where: "status = 'failed'") == ClosingAccount.batch + 1)
            #expect(try await store.count("account", where: "closed_at IS NOT NULL") == 1)
            let log = try await store.service.teamReader.changes(containing: "tester-removed", as: other).entries
            #expect(log.map(\.subject) == [tess.email])
        }
    }

    @Test("A team has a share of the messages that wait", arguments: Engine.stores)
    func messages(engine: Engine) async throws {
        try await withTeam(engine, mail: RecordedMail()) { store, other in
            let holder = try await store.setUpTeam()
            try await store.context.write(.all) { db in
                for number in 0..<MailOrder.mostWaitingOfATeam {
                    try MailOrder(
                        identifier: "\(number)", kind: .teamInvitation, recipient: "a@b", team: other.team, due: db.now
                    ).insert(db)
                }
            }
            let inviting = try store.service.inviting()
            await #expect(throws: DomainError(.busy, "")) {
                _ = try await inviting(email: "a@other.example", role: "admin", language: "en", by: other)
            }
            _ = try await inviting(email: "a@store.example", role: "admin", language: "en", by: holder)
        }
    }

    @Test("A payment has a number of refunds of a part, after which the rest is refunded", arguments: Engine.stores)
    func refunds(engine: Engine) async throws {
        try await engine.withStore { store in
            let (anna, phone) = (try await store.addAccount(), try await store.addDevice())
            let apple = TransactionIdentifier(
                try await phone.buy("apple", request: "1", as: anna).transactionIdentifier)
            try await store.context.write(.all) { db in
                let purchase = try #require(try Purchase.find(apple, db))
                let payment = try #require(try Payment.of(purchase, db))
                for number in 0..<PaymentRefund.mostParts {
                    try PaymentRefund(
                        identifier: RefundIdentifier("part \(number)"), payment: payment.number,
                        amount: Money(milliunits: 1, currency: "USD"), reason: .requested, status: .done
                    ).insert(of: anna.identifier, db)
                }
            }
            await #expect(throws: DomainError(.invalid, "")) {
                _ = try await store.service.refund(apple, amount: "0.10")
            }
            #expect(try await store.service.refund(apple).revoked != nil)
        }
    }

    @Test("The history of a subscription has its newest events", arguments: Engine.stores)
    func events(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber()
            let bought = try await anna.buy("weekly")
            let original = OriginalTransactionIdentifier(bought.transactionIdentifier)
            try await anna.setRenewal(false)
            let (whole, shortened) = try await store.context.read { db in
                var subscription = try #require(try Subscription.find(original, of: anna.account.identifier, db))
                let whole = try subscription.history(db).count
                subscription.count = Subscription.longestHistory + 1
                return (whole, try subscription.history(db).count)
            }
            #expect(whole >= 2 && shortened == whole - 1)
        }
    }

    private static func file(by user: String) -> AppUpload {
        AppUpload(
            app: own, user: TeamUserIdentifier(user), kind: .configuration, name: "a", contents: Data([1]),
            uploaded: WallTime(milliseconds: 0))
    }

    @Test("A team has a number of files that wait, and an imported one keeps no contents", arguments: Engine.stores)
    func files(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            let holder = try await store.setUpTeam()
            try await store.context.write(.all) { db in
                for number in 0..<AppUpload.mostOfATeam {
                    var upload = Self.file(by: "user \(number)")
                    upload.uploaded = db.now
                    try upload.save(db)
                }
            }
            let importing = try store.service.importingAppFile()
            let contents = Data(TestStore.catalogue.utf8)
            func upload(_ app: BundleIdentifier, _ user: TeamUser) async throws {
                try await importing.upload(contents, named: "a.storekit", withdraws: false, to: app, by: user)
            }
            await #expect(throws: DomainError(.invalid, "")) { try await upload(Self.own, other) }
            try await upload(Self.app, holder)
            try await store.context.write(.all) { db in try Self.file(by: "user 0").markApplied("1", db) }
            try await upload(Self.own, other)
            #expect(try await store.count("app_upload", where: "applied = '1' AND length(contents) = 0") == 1)
        }
    }

    @Test("The images of a team have a number of bytes", arguments: Engine.stores)
    func images(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            let holder = try await store.setUpTeam()
            let image = TestImage.png(width: 1024, height: 1024)
            try await store.context.write(.all) { db in
                var large = try RegistrationImage(checking: image, for: .promotion)
                large.size = RegistrationImage.bytesOfATeam - 1
                try large.save(image, of: "p", in: Self.own, db)
            }
            let registering = try store.service.registeringImage()
            await #expect(throws: DomainError(.invalid, "")) {
                try await registering(image, for: .icon, of: nil, in: Self.own, by: other)
            }
            try await registering(image, for: .icon, of: nil, in: Self.app, by: holder)
        }
    }

    @Test("The content of a team's apps has a quota", arguments: Engine.stores)
    func content(engine: Engine) async throws {
        try await withTeam(engine) { store, other in
            try await store.registerProduct("song", kind: .nonConsumable, in: Self.own.rawValue, by: other)
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.next", name: "Next", sku: "N", primaryLocale: "en_US"), by: other)
            let quota: Int64 = 1000
            try await store.context.write(.all) { db in
                try ContentUpload(
                    identifier: "1", bundleIdentifier: Self.own, productIdentifier: "song", version: "1",
                    bytes: quota * ContentHosting.appsOfATeam, checksum: "00", touched: db.now
                ).insert(db)
            }
            func requireRoom(_ app: BundleIdentifier) async throws {
                try await store.context.read { db in
                    try BeginningUpload.requireRoom(for: 1, of: app, in: quota, db)
                }
            }
            await #expect(throws: DomainError(.quotaExceeded, "")) { try await requireRoom("com.example.next") }
            try await requireRoom(Self.app)
        }
    }

    @Test(
        "A server's token reads the key that it names, and files have a number of revoked keys",
        arguments: Engine.stores)
    func keys(engine: Engine) async throws {
        try await engine.withStore { store in
            let sellers = [
                try await TestSeller(store.context, keyIdentifier: "FIRST"),
                try await TestSeller(store.context, keyIdentifier: "SECOND"),
            ]
            let named = try await store.context.read { db in
                try ["SECOND", "OTHER", "\0"].map {
                    try InAppPurchaseKey.named($0, forServersOf: Self.app, db).map(\.identifier)
                }
            }
            #expect(named == [["SECOND"], [], []])

            func key(_ identifier: String) -> InAppPurchaseKey {
                InAppPurchaseKey(
                    identifier: identifier, bundleIdentifier: Self.app, name: "File",
                    publicKey: sellers[0].key.publicKey.x963Representation, created: store.clock.now)
            }
            for revoked in (0..<InAppPurchaseKey.revokedLimit).map({ key("\($0)") }) {
                try await store.context.write(.all) { db in
                    try InAppPurchaseKey.replaceKey(ofFileOf: Self.app, by: revoked, db)
                    _ = try InAppPurchaseKey.revoke(revoked.identifier, ofFileOf: Self.app, db)
                }
            }
            let next = key("next")
            await #expect(throws: DomainError(.invalid, "")) {
                try await store.context.write(.all) { db in
                    try InAppPurchaseKey.replaceKey(ofFileOf: Self.app, by: next, db)
                }
            }
            // A file with a key that is revoked, or without one, is still imported.
            for known in [key("0"), nil] {
                try await store.context.write(.all) { db in
                    try InAppPurchaseKey.replaceKey(ofFileOf: Self.app, by: known, db)
                }
            }
            #expect(
                try await store.count("in_app_purchase_key", where: "bundle_id <> ''") == InAppPurchaseKey.revokedLimit)
        }
    }
}
