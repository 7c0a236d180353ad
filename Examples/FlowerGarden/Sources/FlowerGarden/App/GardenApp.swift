// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServiceLifecycle
import StoreKit

/// The app's state, and the actions of the page's buttons.
@MainActor
final class GardenApp: Service {
    let events = PageEvents()
    let list: ProductListCache
    private let server: URL
    private let folder: URL
    private let loader: any ContentLoading
    private(set) var session: SavedSession?
    private(set) var products: [Product] = []
    /// A sentence about the last action, until the next one.
    private(set) var notice: String?
    private(set) var isLoading = false
    private(set) var downloads = Downloads()
    /// Whether a purchase for this customer would be refused: another one has purchases of the same store account.
    private var receiptIsOfAnother = false
    private var queue: PurchaseQueue?

    /// Opens the app's folder and registers the payment queue's observer.
    init(server: URL, folder: URL, loader: any ContentLoading = BackgroundContent()) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.server = server
        self.folder = folder
        self.loader = loader
        list = ProductListCache(file: folder.appendingPathComponent("products.json"))
        session = SavedSession.load(folder.appendingPathComponent("session.json"))
        queue = PurchaseQueue(
            deliver: { [weak self] in try await self?.deliver($0) },
            changed: { [weak self] in self?.events.sendChange() },
            revoked: { [weak self] in await self?.refresh() })
    }

    /// Loads the list and the customer's state, and then delivers purchases
    /// until the server shuts down. The page doesn't wait for it: it shows the
    /// last good list and the customer's last state.
    func run() async {
        await cancelWhenGracefulShutdown { [self] in
            await refresh()
            await queue?.run()
        }
    }

    // MARK: The customer

    var client: GardenClient { GardenClient(address: server, token: session?.token) }

    /// The customer's purchases as the back end last sent them.
    var state: GardenClient.State { onServer?.last ?? .init(products: [], coins: 0) }

    private var onServer: OnServer? {
        customerFolder.map { OnServer(client: client, file: $0.appendingPathComponent("state.json")) }
    }

    private var customerFolder: URL? {
        session.map { folder.appendingPathComponent("Customers/\($0.customer)", isDirectory: true) }
    }

    /// Why the queue stands still; `nil` if it doesn't, and for an interrupted download, whose row says why.
    var failure: String? {
        guard let failure = queue?.failure, !(failure is DownloadInterrupted) else { return nil }
        return Self.sentence(failure)
    }

    func signIn(_ name: String, _ password: String, isNew: Bool) async {
        await attempt {
            let signedIn = try await GardenClient(address: server).signIn(name, password, isNew: isNew)
            let new = SavedSession(name: name, token: signedIn.token ?? "")
            try SavedSession.save(new, in: folder.appendingPathComponent("session.json"))
            session = new
            try createCustomerFolder()
        }
        if session != nil { await refresh() }
        await queue?.processAll()
    }

    func signOut() async {
        // The session ends here also when the back end can't be reached.
        try? await client.signOut()
        await attempt { try endSession() }
    }

    private func endSession() throws {
        session = nil
        try SavedSession.save(nil, in: folder.appendingPathComponent("session.json"))
    }

    private func createCustomerFolder() throws {
        guard let customerFolder else { return }
        try FileManager.default.createDirectory(at: customerFolder, withIntermediateDirectories: true)
    }

    // MARK: Buttons

    /// Asks for a newer list, the store's prices, and the customer's purchases.
    func refresh() async {
        isLoading = true
        await attempt {
            _ = try await list.refresh(client)
            products = try await Product.products(for: list.items.filter { !$0.isFree }.map(\.product))
            try await sendReceipt()
        }
        isLoading = false
        events.sendChange()
    }

    /// Buys a product, or takes it if it is free.
    func get(_ product: String) async {
        await attempt {
            guard let session else {
                throw AppFailure("Sign in first: the garden keeps your purchases for you.")
            }
            try checkThatItIsForSale(product)
            if list.items.contains(where: { $0.product == product && $0.isFree }) {
                try onServer?.keep(try await client.takeFree(product))
                try await load(product)
            } else if products.contains(where: { $0.id == product }) {
                guard SKPaymentQueue.canMakePayments() else {
                    throw AppFailure("Payments aren't possible on this computer.")
                }
                guard !receiptIsOfAnother, !waitsForAnother else {
                    throw AppFailure("The store’s account buys for another customer here. Sign in as that customer.")
                }
                let payment = SKMutablePayment()
                payment.productIdentifier = product
                // A receipt names no customer. The transaction does, also after a relaunch.
                payment.applicationUsername = session.customer
                SKPaymentQueue.default().add(payment)
            } else {
                throw AppFailure("The store doesn't sell this now. Press Refresh to look again.")
            }
        }
    }

    /// A second tab, or a page that is out of date, may still have the button
    /// of a product that was paid for.
    private func checkThatItIsForSale(_ product: String) throws {
        guard let row = rows.first(where: { $0.identifier == product }) else { return }
        guard ["for-sale", "unknown"].contains(row.state) else {
            throw AppFailure("\(row.title): \(row.pending ?? "it is yours already"). Nothing was bought again.")
        }
    }

    /// Downloads a product's content on a device that doesn't have it, or goes on with an interrupted download.
    func download(_ product: String) async {
        if queue?.failure is DownloadInterrupted { return await tryAgain() }
        await attempt { try await load(product) }
    }

    /// Deletes the bytes of an interrupted download. Its purchase is delivered without the content, which can be downloaded
    /// later.
    func discard(_ product: String) async {
        await attempt {
            guard case .interrupted = downloads.states[product], let delivery else { return }
            try loader.discard(delivery.content(of: product))
            downloads.postpone(product)
        }
        if queue?.failure is DownloadInterrupted { await tryAgain() }
    }

    func water() async { await attempt { try onServer?.keep(try await client.spend(coins: 1)) } }

    /// The back end restores the purchases that it knows, consumables and
    /// subscriptions among them; the store restores the others.
    func restore() async {
        SKPaymentQueue.default().restoreCompletedTransactions()
        await refresh()
    }

    /// Goes on with the queue after a failure.
    func tryAgain() async {
        await attempt {}
        await queue?.processAll()
    }

    /// The text of a product that is the customer's and on this device.
    func text(of product: String) -> String? {
        guard state.products.contains(product), let file = delivery?.content(of: product) else { return nil }
        return try? String(contentsOf: file, encoding: .utf8)
    }

    // MARK: Delivery

    private var delivery: Delivery? {
        customerFolder.map {
            Delivery(client: client, list: list, folder: $0, loader: loader, receipt: Self.receipt)
        }
    }

    /// Whether a product's content is on this device.
    func hasContent(_ product: String) -> Bool {
        delivery.map { FileManager.default.fileExists(atPath: $0.content(of: product).path) } ?? false
    }

    private func deliver(_ transaction: SKPaymentTransaction) async throws {
        guard transaction.transactionState != .failed else { return showFailure(transaction.error) }
        guard let delivery else { throw AppFailure("Sign in: a purchase waits to be delivered to you.") }
        guard !waitsForAnother else {
            throw AppFailure("A purchase waits for the customer who paid for it. Sign in as that customer.")
        }
        try createCustomerFolder()
        try await delivery.record(transaction)
        let product = transaction.payment.productIdentifier
        if !downloads.postponed.contains(product) { try await load(product) }
        _ = try await onServer?.refresh()
    }

    /// Whether a purchase waits for a customer who isn't signed in now. The
    /// receipt has that purchase too. It has none that isn't paid yet, so that
    /// a payment that waits for an approval delays no other customer.
    private var waitsForAnother: Bool {
        SKPaymentQueue.default().transactions.contains { transaction in
            [.purchased, .restored].contains(transaction.transactionState)
                && transaction.payment.applicationUsername.map { $0 != session?.customer } ?? false
        }
    }

    private func showFailure(_ error: (any Error)?) {
        guard (error as? SKError)?.code != .paymentCancelled else { return }
        notice = error?.localizedDescription ?? "The purchase has failed. Nothing was charged."
    }

    private func load(_ product: String) async throws {
        guard let delivery, !downloads.isRunning(product) else { return }
        downloads.begin(product)
        events.sendChange()
        let (shares, share) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        async let shown: Void = show(shares, of: product)
        var failure: (any Error)?
        do { try await delivery.load(product) { share.yield($0) } } catch { failure = error }
        share.finish()
        await shown
        downloads.end(product, failure)
        events.sendChange()
        if let failure { throw failure is CancellationError ? failure : DownloadInterrupted() }
    }

    private func show(_ shares: AsyncStream<Double>, of product: String) async {
        for await share in shares {
            downloads.advance(product, to: share)
            events.sendChange()
        }
    }

    /// Sends the receipt, which shows renewals and refunds, and keeps the
    /// answer. A receipt of another customer of this device changes nothing,
    /// and one with a purchase that waits for another customer isn't sent: the
    /// back end would give it to this one.
    private func sendReceipt() async throws {
        guard let onServer else { return }
        try createCustomerFolder()
        receiptIsOfAnother = waitsForAnother
        if !receiptIsOfAnother, let receipt = try? Self.receipt() {
            do {
                return try onServer.keep(try await client.add(receipt: receipt))
            } catch let refused as GardenClient.Refused where refused.code == "receipt-of-another-customer" {
                receiptIsOfAnother = true
            }
        }
        _ = try await onServer.refresh()
    }

    nonisolated private static func receipt() throws -> Data {
        guard let file = Bundle.main.appStoreReceiptURL else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: file)
    }

    /// Runs an action, and keeps the sentence of its error for the page.
    private func attempt(_ body: () async throws -> Void) async {
        notice = nil
        do {
            try await body()
        } catch is DownloadInterrupted {
            // The product's row says why.
        } catch {
            notice = Self.sentence(error)
            if (error as? GardenClient.Refused)?.code == "no-session" { try? endSession() }
        }
        events.sendChange()
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let refused as GardenClient.Refused: refused.message
        case let failure as AppFailure: failure.description
        case is URLError: "The garden can’t be reached. Your purchases stay yours. Try again later."
        default: error.localizedDescription
        }
    }
}
