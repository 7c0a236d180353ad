// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

@testable import BuyFruit

/// BuyFruit's recipe book, whose content is downloaded after the purchase.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct RecipeBookTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/BuyFruit")

    private let session: SKTestSession
    private let folder: TemporaryFolder
    private let book = "de.tum.in.www1.sgdws13.BuyFruit.RecipeBook"
    private let notes = Notes()

    private final class Notes {
        var titles: [String] = []
    }

    init() throws {
        let defaults = UserDefaults.standard
        for identifier in ProductList.bundled.identifiers { defaults.removeObject(forKey: identifier) }
        try? FileManager.default.removeItem(
            at: TestPreferences.folder.appendingPathComponent("BuyFruit.purchases.plist"))
        folder = try TemporaryFolder()
        session = try SKTestSession(contentsOf: Self.root.appendingPathComponent("BuyFruit.storekit"))
        session.disableDialogs = true
        try session.hostContent(at: Self.root.appendingPathComponent("RecipeBook"))
    }

    private func launch() -> IAPHelper {
        let list = ProductList.bundled
        let helper = IAPHelper(
            productIdentifiers: Set(list.identifiers), consumableIdentifiers: Set(list.consumables),
            subscriptionIdentifiers: Set(list.subscriptions),
            books: RecipeBooks(environment: ["XDG_DATA_HOME": folder.url.path]))
        helper.presentAlert = { [notes] alert in notes.titles.append(alert.title) }
        return helper
    }

    private func quit(_ helper: IAPHelper) {
        SKPaymentQueue.default().remove(helper)
    }

    private func buy(_ helper: IAPHelper) async throws {
        var products: [SKProduct] = []
        helper.requestProducts { _, received in products = received }
        await mainQueueUpdates()
        let product = try #require(products.first { $0.productIdentifier == book })
        #expect(product.isDownloadable)
        helper.buyProduct(product)
        await mainQueueUpdates()
    }

    /// Buys the book, and quits the app during the download.
    @discardableResult
    private func buyAndQuit() async throws -> IAPHelper {
        session.contentBandwidth = 200
        let helper = launch()
        try await buy(helper)
        try session.advance(by: .seconds(2))
        quit(helper)
        await mainQueueUpdates()
        return helper
    }

    private func row(_ helper: IAPHelper) -> DownloadRow? {
        helper.download(of: book).map { DownloadRow($0, title: "Recipe book") }
    }

    @Test("The book is downloaded after the purchase, kept by the app, and the transaction is finished then")
    func bought() async throws {
        let helper = launch()
        try await buy(helper)

        #expect(notes.titles == ["Bought successfully!"])
        #expect(helper.books.recipes(of: book).map(\.title).contains("Apple crumble"))
        #expect(helper.books.recipes(of: book).allSatisfy { !$0.text.isEmpty })
        #expect(SKPaymentQueue.default().transactions.isEmpty && row(helper) == nil)
        // The app has moved it.
        #expect(SKDownload.contentURL(forProductID: book) == nil)
        quit(helper)
    }

    @Test("The customer pauses, resumes and cancels, and downloads again")
    func buttons() async throws {
        session.contentBandwidth = 200
        let helper = launch()
        try await buy(helper)
        try session.advance(by: .seconds(2))
        await mainQueueUpdates()
        #expect(row(helper)?.state == "active" && row(helper)?.showsBar == true)
        #expect(row(helper)?.buttons.map(\.action) == ["pause", "cancel"])

        helper.act(.pause, onDownloadOf: book)
        await mainQueueUpdates()
        #expect(row(helper)?.text.hasPrefix("Paused at ") == true)
        #expect(row(helper)?.buttons.map(\.action) == ["resume", "cancel"])

        helper.act(.cancel, onDownloadOf: book)
        await mainQueueUpdates()
        #expect(row(helper)?.state == "cancelled" && row(helper)?.buttons.map(\.action) == ["start"])
        #expect(SKPaymentQueue.default().transactions.count == 1)

        session.contentBandwidth = nil
        helper.act(.start, onDownloadOf: book)
        await mainQueueUpdates()
        #expect(helper.books.hasBook(book) && SKPaymentQueue.default().transactions.isEmpty)
        quit(helper)
    }

    @Test("A book that wasn't complete is downloaded after the next launch, without a second alert")
    func relaunched() async throws {
        try await buyAndQuit()

        let second = launch()
        session.contentBandwidth = nil
        try session.advance(by: .seconds(5))
        await mainQueueUpdates()

        #expect(second.books.hasBook(book))
        #expect(notes.titles == ["Bought successfully!"])
        quit(second)
    }

    @Test("A book that was moved before the app ended isn't shown as a download after the next launch")
    func movedBeforeTheEnd() async throws {
        let first = try await buyAndQuit()
        session.contentBandwidth = nil
        try session.advance(by: .seconds(5))
        await mainQueueUpdates()
        let content = try #require(SKDownload.contentURL(forProductID: book))
        try first.books.keep(content, of: book)

        let second = launch()
        await mainQueueUpdates()

        #expect(SKPaymentQueue.default().transactions.isEmpty && row(second) == nil)
        #expect(second.books.hasBook(book))
        quit(second)
    }

    @Test("A restored book is downloaded again only if the app doesn't have it")
    func restored() async throws {
        let helper = launch()
        try await buy(helper)
        helper.restoreCompletedTransactions()
        await mainQueueUpdates()
        #expect(SKPaymentQueue.default().transactions.isEmpty)

        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("BuyFruit"))
        helper.restoreCompletedTransactions()
        await mainQueueUpdates()
        #expect(helper.books.hasBook(book) && SKPaymentQueue.default().transactions.isEmpty)
        quit(helper)
    }

    @Test("A failed download shows its reason, and can be resumed or cancelled")
    func failed() async throws {
        session.contentFailures = [.wrongBytes, .wrongBytes]
        let helper = launch()
        try await buy(helper)
        #expect(row(helper)?.state == "failed" && row(helper)?.text.isEmpty == false)
        #expect(row(helper)?.buttons.map(\.action) == ["resume", "cancel"])

        helper.act(.resume, onDownloadOf: book)
        await mainQueueUpdates()
        #expect(helper.books.hasBook(book))
        quit(helper)
    }
}
