// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import HummingbirdTesting
import StoreKit
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

@testable import FlowerGarden
@testable import FlowerGardenServer
@testable import StoreKitTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads content with one request: a test session's device has no network for `BackgroundDownload`. A test sets that the disk is
/// full.
private final class OneRequestLoader: ContentLoading {
    let isFull = Mutex(false)
    let discarded = Mutex(0)

    func load(
        _ product: String, to file: URL, from client: GardenClient, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        progress(0.5)
        guard !isFull.withLock({ $0 }) else { throw CocoaError(.fileWriteOutOfSpace) }
        let (data, _) = try await client.send("GET", "content/\(product)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func discard(_ file: URL) throws { discarded.withLock { $0 += 1 } }
}

/// The app and its back end with a real store.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct GardenTests {
    private let session: SKTestSession
    private let folder: TemporaryFolder
    private let prefix = "com.example.FlowerGarden."
    private let password = "Rose-Garden-1"

    init() throws {
        folder = try TemporaryFolder()
        session = try SKTestSession(
            contentsOf: URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Examples/FlowerGarden/FlowerGarden.storekit"))
        session.disableDialogs = true
    }

    nonisolated private static func receipt() throws -> Data {
        try Data(contentsOf: #require(Bundle.main.appStoreReceiptURL))
    }

    private static let loader = OneRequestLoader()

    /// The two ways to check receipts.
    enum Checking: CaseIterable {
        case here, atStore
    }

    /// Runs the back end and gives its address to the body.
    private func withGarden(
        _ checking: Checking = .here, _ body: @MainActor @Sendable (GardenClient) async throws -> Void
    ) async throws {
        // SKTestSession's app has the identifier that its receipt states.
        try session.buyProduct(productIdentifier: prefix + "Tulips")
        let bundle = try UnverifiedAppReceipt(parsing: Self.receipt()).contents.bundleIdentifier
        switch checking {
        case .here:
            let root = try #require(session.rootCertificate)
            try await withGarden(ReceiptsHere(root: root, bundleIdentifier: bundle), body)
        case .atStore:
            let store = try buildRouter(session.host().service)
            try await serve(store) { address in
                let verify = address.appendingPathComponent("verifyReceipt")
                try await withGarden(ReceiptsAtStore(address: verify, bundleIdentifier: bundle), body)
            }
        }
    }

    private func withGarden(
        _ receipts: any ReceiptChecking, _ body: @MainActor @Sendable (GardenClient) async throws -> Void
    ) async throws {
        let session = session
        let garden = try FlowerGardenServer.garden(
            data: folder.url.appendingPathComponent("data"), receipts: receipts, now: { session.currentDate })
        try await serve(Routes(garden: garden).router()) { try await body(GardenClient(address: $0)) }
    }

    /// Serves routes at a free port and gives their address to the body.
    private func serve<Builder: HTTPResponderBuilder>(
        _ router: Builder, _ body: @MainActor @Sendable (URL) async throws -> Void
    ) async throws where Builder.Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            let port = try #require(client.port)
            try await body(#require(URL(string: "http://127.0.0.1:\(port)")))
        }
    }

    private func device(_ name: String, _ client: GardenClient) async throws -> Delivery {
        let folder = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let list = ProductListCache(file: folder.appendingPathComponent("products.json"))
        _ = try await list.refresh(client)
        return Delivery(
            client: client, list: list, folder: folder, loader: Self.loader, receipt: { try Self.receipt() })
    }

    private func refused(_ code: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("The garden should refuse with \(code).")
        } catch {
            #expect((error as? GardenClient.Refused)?.code == code, "\(error)")
        }
    }

    @Test("Purchases are delivered one at a time, and a launch goes on where the last one ended")
    func relaunched() async throws {
        try await withGarden { client in
            let rose = try await client.signIn("rose", password, isNew: true)
            let device = try await device("phone", rose)
            for name in ["Roses", "Coins"] { try session.buyProduct(productIdentifier: prefix + name) }
            // The first launch ends after the first purchase's receipt has arrived.
            var begun: [String] = []
            let first = PurchaseQueue(deliver: { transaction in
                begun.append(transaction.payment.productIdentifier)
                _ = try await device.client.add(receipt: device.receipt())
                throw CancellationError()
            })
            await mainQueueUpdates()
            await first.processAll()
            #expect(begun.count == 1 && first.failure is CancellationError)
            #expect(SKPaymentQueue.default().transactions.count == 3)
            SKPaymentQueue.default().remove(first)

            var atOnce = 0
            let second = PurchaseQueue(deliver: { transaction in
                atOnce += 1
                #expect(atOnce == 1)
                try await device.record(transaction)
                try await device.load(transaction.payment.productIdentifier)
                atOnce -= 1
            })
            await mainQueueUpdates()
            await second.processAll()
            SKPaymentQueue.default().remove(second)

            #expect(second.failure == nil && SKPaymentQueue.default().transactions.isEmpty)
            let state = try await rose.state()
            #expect(state.coins == 10 && Set(state.products) == [prefix + "Roses", prefix + "Tulips"])
            let roses = try String(contentsOf: device.content(of: prefix + "Roses"), encoding: .utf8)
            #expect(roses.contains("Damask rose"))
        }
    }

    @Test("A purchase that the receipt doesn't have isn't delivered with it, and waits")
    func olderReceipt() async throws {
        try await withGarden { client in
            let older = try Self.receipt()
            let rose = try await client.signIn("rose", password, isNew: true)
            let device = try await device("phone", rose)
            try session.buyProduct(productIdentifier: prefix + "Coins")
            let late = Delivery(
                client: rose, list: device.list, folder: device.folder, loader: Self.loader, receipt: { older })
            for (delivery, isThere) in [(late, false), (device, true)] {
                let queue = PurchaseQueue(deliver: { transaction in
                    guard transaction.payment.productIdentifier == prefix + "Coins" else { return }
                    try await delivery.record(transaction)
                    try await delivery.load(transaction.payment.productIdentifier)
                })
                await mainQueueUpdates()
                await queue.processAll()
                SKPaymentQueue.default().remove(queue)
                let state = try await rose.state()
                #expect((queue.failure == nil) == isThere && state.coins == (isThere ? 10 : 0))
            }
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
    }

    @Test("A payment of one customer that waits for an approval delays no other customer's purchases")
    func deferred() async throws {
        try await withGarden { client in
            session.askToBuyEnabled = true
            let payment = SKMutablePayment()
            payment.productIdentifier = prefix + "Roses"
            payment.applicationUsername = "another customer"
            SKPaymentQueue.default().add(payment)
            try await until { SKPaymentQueue.default().transactions.contains { $0.transactionState == .deferred } }
            session.askToBuyEnabled = false

            let app = try GardenApp(
                server: client.address, folder: folder.url.appendingPathComponent("app"), loader: Self.loader)
            await app.signIn("rose", password, isNew: true)
            await app.get(prefix + "Coins")
            #expect(app.notice == nil)
            try await until {
                SKPaymentQueue.default().transactions.contains {
                    $0.payment.productIdentifier == prefix + "Coins" && $0.transactionState == .purchased
                }
            }
            await mainQueueUpdates()
            await app.tryAgain()
            #expect(app.failure == nil && app.state.coins == 10)
            #expect(SKPaymentQueue.default().transactions.map(\.transactionState) == [.deferred])
        }
    }

    @Test("A part of a file that an app has left when it was killed isn't taken for the file")
    func killedInACopy() throws {
        let (loaded, file) = (folder.url.appendingPathComponent("loaded"), folder.url.appendingPathComponent("roses"))
        let bytes = Data("Damask rose".utf8)
        try bytes.write(to: loaded)
        try bytes.prefix(4).write(to: file.appendingPathExtension("new"))
        #expect(!FileManager.default.fileExists(atPath: file.path))

        try DurableFile.copy(loaded, to: file)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(!FileManager.default.fileExists(atPath: file.appendingPathExtension("new").path))
        // The download is acknowledged after this, and then deleted.
        #expect(FileManager.default.fileExists(atPath: loaded.path))
    }

    @Test("A free product needs no store, and one that isn't free is refused, also when the app says that it is")
    func free() async throws {
        try await withGarden { client in
            let rose = try await client.signIn("rose", password, isNew: true)
            #expect(try await rose.takeFree(prefix + "BonusSeeds").products == [prefix + "BonusSeeds"])
            _ = try await rose.send("GET", "content/\(prefix)BonusSeeds")

            await refused("not-free") { _ = try await rose.takeFree(prefix + "Roses") }
            await refused("no-product") { _ = try await rose.takeFree("unknown") }
            await refused("not-bought") { _ = try await rose.send("GET", "content/\(prefix)Roses") }
            await refused("no-session") { _ = try await client.takeFree(prefix + "BonusSeeds") }
        }
    }

    @Test(
        "A receipt of another customer is refused, and so are bytes that the store hasn't signed",
        arguments: Checking.allCases)
    func another(checking: Checking) async throws {
        try await withGarden(checking) { client in
            let rose = try await client.signIn("rose", password, isNew: true)
            let lily = try await client.signIn("lily", password, isNew: true)
            let receipt = try Self.receipt()
            _ = try await rose.add(receipt: receipt)

            await refused("receipt-of-another-customer") { _ = try await lily.add(receipt: receipt) }
            var forged = receipt
            forged[forged.count - 20] ^= 1
            await refused("invalid-receipt") { [forged] in _ = try await lily.add(receipt: forged) }
            await refused("too-large") { _ = try await lily.add(receipt: Data(count: (1 << 20) + 1)) }
            #expect(try await lily.state() == .init(products: [], coins: 0))
            // The customer's own receipt may be sent any number of times.
            #expect(try await rose.add(receipt: receipt).products == [prefix + "Tulips"])
        }
    }

    @Test(
        "After a refund the content is refused, also when the old receipt is sent again",
        arguments: Checking.allCases)
    func refunded(checking: Checking) async throws {
        try await withGarden(checking) { client in
            let rose = try await client.signIn("rose", password, isNew: true)
            let old = try Self.receipt()
            _ = try await rose.add(receipt: old)
            _ = try await rose.send("GET", "content/\(prefix)Tulips")

            try session.refundTransaction(identifier: #require(session.allTransactions().first).identifier)
            try session.buyProduct(productIdentifier: prefix + "Coins")
            _ = try await rose.add(receipt: Self.receipt())

            await refused("not-bought") { _ = try await rose.send("GET", "content/\(prefix)Tulips") }
            #expect(try await rose.add(receipt: old).products.isEmpty)
        }
    }

    @Test("A second device has the purchases and the coins of the first")
    func secondDevice() async throws {
        try await withGarden { client in
            let phone = try await client.signIn("rose", password, isNew: true)
            try session.buyProduct(productIdentifier: prefix + "Coins")
            _ = try await phone.add(receipt: Self.receipt())
            await refused("wrong-password") { _ = try await client.signIn("rose", "Tulip-Garden-1", isNew: false) }

            let tablet = try await client.signIn("rose", password, isNew: false)
            let onServer = OnServer(client: tablet, file: folder.url.appendingPathComponent("state.json"))
            #expect(onServer.last == nil)
            let state = try await onServer.refresh()
            #expect(state == .init(products: [prefix + "Tulips"], coins: 10) && onServer.last == state)
            #expect(try await tablet.spend(coins: 4).coins == 6)
            await refused("too-few-coins") { _ = try await phone.spend(coins: 7) }
        }
    }

    @Test("A download that was interrupted gets the rest, or all of a version that is newer")
    func interrupted() async throws {
        try await withGarden { client in
            let rose = try await client.signIn("rose", password, isNew: true)
            _ = try await rose.add(receipt: Self.receipt())
            let tulips = "content/\(prefix)Tulips"
            let (whole, first) = try await rose.send("GET", tulips)
            let tag = try #require(first.value(forHTTPHeaderField: "ETag"))

            let fields = ["Range": "bytes=50-", "If-Range": tag]
            let (rest, part) = try await rose.send("GET", tulips, fields: fields)
            #expect(part.statusCode == 206 && rest == whole.dropFirst(50) && !rest.isEmpty)
            #expect(part.value(forHTTPHeaderField: "Content-Range") == "bytes 50-\(whole.count - 1)/\(whole.count)")
            let older = ["Range": "bytes=50-", "If-Range": "\"older\""]
            let (newer, all) = try await rose.send("GET", tulips, fields: older)
            #expect(all.statusCode == 200 && newer == whole)
            await refused("status-416") {
                _ = try await rose.send("GET", tulips, fields: ["Range": "bytes=\(whole.count)-"])
            }
        }
    }

    @Test("A subscription's content is there until its period ends", arguments: Checking.allCases)
    func subscription(checking: Checking) async throws {
        try await withGarden(checking) { client in
            let rose = try await client.signIn("rose", password, isNew: true)
            try session.buyProduct(productIdentifier: prefix + "Almanac")
            try session.disableAutoRenewForTransaction(
                identifier: #require(session.allTransactions().last).identifier)
            let begun = session.currentDate
            let state = try await rose.add(receipt: Self.receipt())
            let end = try #require(state.subscriptions[prefix + "Almanac"])
            #expect((28...31).contains(end.timeIntervalSince(begun) / 86_400), "\(end)")
            _ = try await rose.send("GET", "content/\(prefix)Almanac")

            // A session expires after 30 days, the subscription after a month.
            try session.advance(by: .seconds(29 * 86_400))
            let next = try await client.signIn("rose", password, isNew: false)
            try session.advance(by: .seconds(11 * 86_400))

            await refused("not-bought") { _ = try await next.send("GET", "content/\(prefix)Almanac") }
            #expect(try await next.state().subscriptions == [prefix + "Almanac": end])
            await refused("no-session") { _ = try await rose.state() }
        }
    }

    @Test(
        "The garden restores a season pass on a second device until it ends; the store restores none",
        arguments: Checking.allCases)
    func season(checking: Checking) async throws {
        try await withGarden(checking) { client in
            let pass = prefix + "SeasonPass"
            let phone = try await client.signIn("rose", password, isNew: true)
            let begun = session.currentDate
            try session.buyProduct(productIdentifier: pass)
            let bought = try await phone.add(receipt: Self.receipt())
            let end = try #require(bought.subscriptions[pass])
            #expect(abs(end.timeIntervalSince(begun) - 90 * 86_400) < 60 && bought.products.contains(pass))

            let tablet = try await client.signIn("rose", password, isNew: false)
            #expect(try await tablet.state() == bought)
            _ = try await tablet.send("GET", "content/\(pass)")
            try session.advance(by: .seconds(20 * 86_400))
            // A second pass follows the first one.
            try session.buyProduct(productIdentifier: pass)
            let later = try await client.signIn("rose", password, isNew: false)
            let extended = try await later.add(receipt: Self.receipt())
            #expect(abs(try #require(extended.subscriptions[pass]).timeIntervalSince(end) - 90 * 86_400) < 60)

            try session.advance(by: .seconds(161 * 86_400))
            let over = try await client.signIn("rose", password, isNew: false)
            await refused("not-bought") { _ = try await over.send("GET", "content/\(pass)") }
            #expect(try await !over.state().products.contains(pass))
        }
    }

    @Test("A full disk interrupts a download, which the customer resumes or discards; the purchase is delivered once")
    func fullDisk() async throws {
        try await withGarden { client in
            let loader = OneRequestLoader()
            let app = try GardenApp(
                server: client.address, folder: folder.url.appendingPathComponent("app"), loader: loader)
            await app.signIn("rose", password, isNew: true)
            loader.isFull.withLock { $0 = true }
            await app.get(prefix + "Roses")
            @MainActor func state(_ name: String) -> Row? { app.row(named: name) }
            @MainActor func waits(_ name: String, _ wanted: String) async throws {
                try await until {
                    await mainQueueUpdates()
                    await app.tryAgain()
                    return state(name)?.state == wanted
                }
            }
            try await waits("Roses", "interrupted")
            #expect(state("Roses")?.interruption?.contains("disk is full") == true && app.failure == nil)
            #expect(SKPaymentQueue.default().transactions.contains { $0.payment.productIdentifier == prefix + "Roses" })

            // There is room, and the customer resumes.
            loader.isFull.withLock { $0 = false }
            await app.download(prefix + "Roses")
            #expect(state("Roses")?.state == "owned" && app.text(of: prefix + "Roses")?.contains("Damask rose") == true)

            // The disk is full again, and the customer discards the download.
            loader.isFull.withLock { $0 = true }
            await app.get(prefix + "SeasonPass")
            try await waits("SeasonPass", "interrupted")
            await app.discard(prefix + "SeasonPass")
            #expect(state("SeasonPass")?.state == "missing" && loader.discarded.withLock { $0 } == 1)
            try await until { SKPaymentQueue.default().transactions.isEmpty }
            loader.isFull.withLock { $0 = false }
            await app.download(prefix + "SeasonPass")
            #expect(state("SeasonPass")?.state == "owned")
        }
    }

    @Test("A customer who signs out has no session on this device, and keeps the other device's")
    func signOut() async throws {
        try await withGarden { client in
            let phone = try await client.signIn("rose", password, isNew: true)
            let tablet = try await client.signIn("rose", password, isNew: false)
            try await phone.signOut()
            await refused("no-session") { _ = try await phone.state() }
            #expect(try await tablet.state() == .init(products: [], coins: 0))
        }
    }

    @Test("A second back end on the same records is refused")
    func twoServers() async throws {
        try await withGarden { _ in
            let file = folder.url.appendingPathComponent("data/records.json")
            #expect(throws: Failure.self) { try Records(file) }
        }
    }

    @Test("The list of products is kept, and asked for again by its tag")
    func list() async throws {
        let file = folder.url.appendingPathComponent("list.json")
        let list = ProductListCache(file: file)
        try await withGarden { client in
            #expect(list.items.isEmpty)
            #expect(try await list.refresh(client))
            #expect(list.items.count == 6 && list.items.contains { $0.isFree })
            #expect(try await !list.refresh(client))
            let (_, response) = try await client.send("GET", "products")
            #expect(response.value(forHTTPHeaderField: "Cache-Control") == "max-age=3600")
        }
        // Without a back end, the last good list stays.
        let nowhere = GardenClient(address: try #require(URL(string: "http://127.0.0.1:9")))
        await #expect(throws: (any Error).self) { _ = try await list.refresh(nowhere) }
        #expect(list.items.count == 6)
    }

    @Test("Names, passwords and many attempts have limits")
    func limits() async throws {
        try await withGarden { client in
            _ = try await client.signIn("rose", password, isNew: true)
            await refused("name-taken") { _ = try await client.signIn("rose", password, isNew: true) }
            await refused("bad-name") { _ = try await client.signIn("Rose Garden", password, isNew: true) }
            await refused("bad-password") { _ = try await client.signIn("lily", "short", isNew: true) }
            for _ in 0..<10 {
                await refused("wrong-password") { _ = try await client.signIn("rose", "Wrong-Garden-1", isNew: false) }
            }
            await refused("too-many-attempts") { _ = try await client.signIn("rose", password, isNew: false) }
            let records = try Data(contentsOf: folder.url.appendingPathComponent("data/records.json"))
            #expect(!String(decoding: records, as: UTF8.self).contains(password))
        }
    }
}
