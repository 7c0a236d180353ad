// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Hosted content of a session, and every member of SKDownload.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct SessionContentTests {
    private let configuration: Configuration
    private let session: SKTestSession
    private let reader: Reader
    private let book: ContentPackage

    init() throws {
        configuration = try Configuration()
        session = try configuration.session()
        reader = Reader()
        book = try ContentPackage(
            of: "apple",
            ["crumble.txt": Data("Peel the apples.".utf8), "pictures/a": Data(repeating: 7, count: 100_000)])
    }

    private func request() async -> [SKProduct] {
        final class Products: NSObject, SKProductsRequestDelegate {
            var products: [SKProduct] = []
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
                products = response.products
            }
        }
        let delegate = Products()
        let request = SKProductsRequest(productIdentifiers: ["apple", "juice"])
        request.delegate = delegate
        request.start()
        await mainQueueUpdates()
        return delegate.products
    }

    @Test("A purchase of a product with content has a download, which is transferred and finished")
    func downloaded() async throws {
        try session.hostContent(at: book.url)
        reader.finishes = true
        await reader.buy("apple")

        #expect(reader.heard == ["active 0", "finished 100"])
        let download = try #require(reader.downloads.first)
        #expect(download.state == .finished && download.downloadState == .finished)
        #expect(download.contentIdentifier == "apple" && download.contentVersion == "1.0")
        #expect(download.expectedContentLength == book.length && download.contentLength == book.length)
        #expect(download.progress == 1 && download.timeRemaining == 0 && download.error == nil)
        #expect(download.transaction == reader.transactions.first)
        #expect(try book.isSame(as: download.contentURL))
        #expect(SKDownload.contentURL(forProductID: "apple") == download.contentURL)
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        reader.quit()
    }

    @Test("An app gets the same objects for a download, as long as it keeps them")
    func objects() async throws {
        try session.hostContent(at: book.url)
        reader.starts = false
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        #expect(download.state == .waiting && download.progress == 0 && download.contentURL == nil)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        let again = SKPaymentQueue.default().transactions.first?.downloads
        #expect(again?.first === download)

        SKPaymentQueue.default().start([download])
        await mainQueueUpdates()

        #expect(download.state == .finished)
        #expect(!reader.updated.isEmpty && reader.updated.allSatisfy { $0 === download })
        #expect(download.isEqual(download) && !download.isEqual(SKDownload()))
        reader.quit()
    }

    @Test("A product with content is downloadable, and another one is not")
    func products() async throws {
        try session.hostContent(at: book.url)
        let products: [SKProduct] = await request()
        let apple = try #require(products.first { $0.productIdentifier == "apple" })
        #expect(apple.isDownloadable && apple.downloadable)
        #expect(apple.downloadContentLengths == [NSNumber(value: book.length)])
        #expect(apple.contentLengths == apple.downloadContentLengths)
        #expect(apple.downloadContentVersion == "1.0" && apple.contentVersion == "1.0")
        let juice = try #require(products.first { $0.productIdentifier == "juice" })
        #expect(!juice.isDownloadable && juice.downloadContentLengths.isEmpty && juice.downloadContentVersion.isEmpty)

        await reader.buy("juice")
        #expect(reader.transactions.first?.downloads.isEmpty == true)
        reader.quit()
    }

    @Test("Content arrives at the session's bandwidth, and the time moves it")
    func bandwidth() async throws {
        try session.hostContent(at: book.url)
        session.contentBandwidth = 10_000
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        #expect(download.state == .active && download.progress == 0)

        for _ in 0..<3 { try session.advance(by: .seconds(1)) }
        await mainQueueUpdates()
        let part = Double(download.progress) * Double(book.length)
        #expect((20_000...31_000).contains(part), "\(part) bytes in three seconds")
        #expect((6.0...9.0).contains(download.timeRemaining), "\(download.timeRemaining) seconds")

        try session.advance(by: .seconds(60))
        await mainQueueUpdates()
        #expect(download.state == .finished)
        #expect(try book.isSame(as: download.contentURL))
        reader.quit()
    }

    @Test("The app pauses, resumes and cancels")
    func actions() async throws {
        try session.hostContent(at: book.url)
        session.contentBandwidth = 10_000
        await reader.buy("apple")
        let queue = SKPaymentQueue.default()
        try session.advance(by: .seconds(2))
        queue.pause(reader.downloads)
        await mainQueueUpdates()
        let download = try #require(reader.downloads.first)
        #expect(download.state == .paused && download.progress > 0)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        let paused = download.progress
        try session.advance(by: .seconds(60))
        await mainQueueUpdates()
        #expect(download.state == .paused && download.progress == paused)

        queue.resume(reader.downloads)
        try session.advance(by: .seconds(1))
        await mainQueueUpdates()
        #expect(download.state == .active && download.progress > paused)

        queue.cancel(reader.downloads)
        await mainQueueUpdates()
        #expect(download.state == .cancelled && download.progress == 0 && download.contentURL == nil)

        session.contentBandwidth = nil
        queue.start(reader.downloads)
        await mainQueueUpdates()
        #expect(download.state == .finished)
        reader.quit()
    }

    @Test("A connection that is cut goes on when time passes")
    func cut() async throws {
        try session.hostContent(at: book.url)
        session.contentFailures = [.cut(after: 40_000), .cut(after: 0), .status(503)]
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        #expect(download.state == .active)

        for _ in 0..<6 { try session.advance(by: .seconds(10)) }
        await mainQueueUpdates()

        #expect(download.state == .finished && session.contentFailures.isEmpty)
        #expect(try book.isSame(as: download.contentURL))
        #expect(!reader.heard.contains { $0.hasPrefix("failed") })
        reader.quit()
    }

    @Test("Wrong bytes are transferred again once, and then fail the download")
    func wrongBytes() async throws {
        try session.hostContent(at: book.url)
        session.contentFailures = [.wrongBytes, .wrongBytes]
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        #expect(download.state == .failed && download.progress == 0 && download.contentURL == nil)
        #expect((download.error as? CocoaError)?.code == .fileReadCorruptFile)

        session.contentFailures = [.wrongBytes]
        SKPaymentQueue.default().start([download])
        await mainQueueUpdates()
        #expect(download.state == .finished && download.error == nil)
        reader.quit()
    }

    @Test("A store that refuses fails the download with an error of StoreKit", arguments: [403, 404])
    func refused(_ status: Int) async throws {
        try session.hostContent(at: book.url)
        // After a 404 the app asks whether there is a newer version.
        session.contentFailures = status == 404 ? [.status(404), .status(404)] : [.status(status)]
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        #expect(download.state == .failed)
        let code = (download.error as? SKError)?.code
        #expect(code == (status == 403 ? .clientInvalid : .storeProductNotAvailable))
        reader.quit()
    }

    @Test("A refund in the middle of a download fails it or removes it with its transaction")
    func refunded() async throws {
        try session.hostContent(at: book.url)
        session.contentBandwidth = 1_000
        await reader.buy("apple")
        try session.advance(by: .seconds(2))
        let transaction = try #require(session.allTransactions().first)

        try session.refundTransaction(identifier: transaction.identifier)
        try session.advance(by: .seconds(200))
        await mainQueueUpdates()

        #expect(SKPaymentQueue.default().transactions.isEmpty)
        #expect(SKDownload.contentURL(forProductID: "apple") == nil)
        #expect(!reader.heard.contains("finished 100"))
        reader.quit()
    }

    @Test("Restored transactions have downloads")
    func restored() async throws {
        try session.hostContent(at: book.url)
        reader.finishes = true
        await reader.buy("apple")
        SKDownload.deleteContent(forProductID: "apple")
        #expect(SKDownload.contentURL(forProductID: "apple") == nil)

        SKPaymentQueue.default().restoreCompletedTransactions()
        await mainQueueUpdates()

        #expect(reader.transactions.last?.transactionState == .restored)
        #expect(try book.isSame(as: SKDownload.contentURL(forProductID: "apple")))
        reader.quit()
    }

    @Test("Content that the app has moved isn't found any more")
    func moved() async throws {
        try session.hostContent(at: book.url)
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        let folder = try #require(download.contentURL)
        // Listing 4-3 of the In-App Purchase Programming Guide, which excludes the content from backups.
        var kept = book.url.deletingLastPathComponent().appendingPathComponent("kept-\(UUID())")
        try FileManager.default.moveItem(at: folder, to: kept)
        defer { try? FileManager.default.removeItem(at: kept) }
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try kept.setResourceValues(values)
        try NSURL(fileURLWithPath: kept.path).setResourceValue(
            NSNumber(value: true), forKey: .isExcludedFromBackupKey)

        #expect(SKDownload.contentURL(forProductID: "apple") == nil && download.contentURL == nil)
        #expect(download.state == .finished)
        #expect(try book.isSame(as: kept))
        reader.quit()
    }

    @Test("A new version that is hosted while a download is paused starts it over")
    func newVersion() async throws {
        try session.hostContent(at: book.url)
        session.contentBandwidth = 10_000
        await reader.buy("apple")
        try session.advance(by: .seconds(2))
        SKPaymentQueue.default().pause(reader.downloads)
        let second = try ContentPackage(of: "apple", version: "2.0", ["crumble.txt": Data("Dice the apples.".utf8)])
        try session.hostContent(at: second.url)

        session.contentBandwidth = nil
        SKPaymentQueue.default().resume(reader.downloads)
        await mainQueueUpdates()

        let download = try #require(reader.downloads.first)
        #expect(download.contentVersion == "2.0" && download.expectedContentLength == second.length)
        #expect(try second.isSame(as: download.contentURL))
        reader.quit()
    }

    @Test("A store that begins anew hosts the same content, and the default state hosts none")
    func restarts() async throws {
        try session.hostContent(at: book.url)
        session.clearTransactions()
        #expect(await request().contains { $0.isDownloadable })

        session.contentBandwidth = 1
        session.contentFailures = [.wrongBytes]
        session.resetToDefaultState()

        #expect(await request().allSatisfy { !$0.isDownloadable })
        #expect(session.contentBandwidth == nil && session.contentFailures.isEmpty)
        reader.quit()
    }

    @Test("A folder that isn't a content package is refused")
    func packages() async throws {
        let empty = try TemporaryFolder()
        let missing = empty.url.appendingPathComponent("missing")
        let address = try #require(URL(string: "https://example.com/book"))
        let unknown = try ContentPackage(of: "banana", ["a.txt": Data("a".utf8)])
        let refusals: [(URL, SKTestError.Code)] = [
            (empty.url, .fileNotFound), (missing, .fileNotFound), (address, .invalidURL),
            (unknown.url, .invalidProductIdentifier),
        ]
        for (folder, code) in refusals {
            let error = #expect(throws: SKTestError.self) { try session.hostContent(at: folder) }
            #expect(error?.code == code, "\(folder): \(String(describing: error))")
        }
        reader.quit()
    }

    @Test("A download of another session's queue is left out")
    func otherSession() async throws {
        try session.hostContent(at: book.url)
        reader.starts = false
        await reader.buy("apple")
        let download = try #require(reader.downloads.first)
        let other = try configuration.session()
        SKPaymentQueue.default().start([download, SKDownload()])
        await mainQueueUpdates()
        #expect(download.state == .waiting)
        withExtendedLifetime(other) {}
        reader.quit()
    }
}
