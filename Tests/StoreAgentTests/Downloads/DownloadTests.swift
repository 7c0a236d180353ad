// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite("Downloading content", .timeLimit(.hang))
struct DownloadTests {
    @Test("A started download is transferred, verified, and leaves nothing but the content")
    func downloaded() async throws {
        let content = try HostedContent.small()
        let store = try ContentStore(content)
        let process = try store.process()
        try await process.running {
            await process.told(.purchased)
            let waiting = try process.onlyDownload()
            #expect(waiting.state == .waiting && waiting.progress == 0 && waiting.remaining == nil)
            #expect(waiting.version == "1.0" && waiting.length == content.length && waiting.content == nil)
            #expect(waiting.productIdentifier == HostedContent.product)
            #expect(store.store.contents.value.isEmpty)

            try await process.start()
            let finished = try #require(await process.download(.finished))

            #expect(finished.progress == 1 && finished.received == content.length && finished.failure == nil)
            #expect(try content.isSame(as: try #require(finished.content)))
            #expect(process.agent.content(of: HostedContent.product) == finished.content)
            try await until { store.partialFiles.isEmpty }
        }
        let states = process.downloads.map(\.state)
        #expect(states.first == .active && states.last == .finished)
        #expect(store.contents.count == 1)
        let tag = store.caches.appendingPathComponent("\(Device.bundle)/StoreKit/CACHEDIR.TAG")
        #expect(try Data(contentsOf: tag).starts(with: Data("Signature: 8a477f597d28d172789f06886806bc55".utf8)))
    }

    @Test("A transaction without content has no downloads")
    func withoutContent() async throws {
        let store = try ContentStore(try .small(), transactions: [.apple()])
        let process = try store.process()
        try await process.running {
            let transaction = await process.told(.purchased)
            #expect(process.agent.downloads(of: transaction.transactionIdentifier ?? "").isEmpty)
        }
    }

    @Test("A restored transaction has downloads, too")
    func restored() async throws {
        let content = try HostedContent.small()
        var transaction = TransactionInfo.restored("2000000000000101")
        transaction.content = [content.offer]
        let store = try ContentStore(content, transactions: [])
        store.store.script.change { [transaction] script in
            script.restore = { _ in RestoreCall.Answer(transactions: [transaction], position: .at(5)) }
        }
        let process = try store.process()
        try await process.running {
            try process.agent.restoreCompletedTransactions()
            await process.told(.restored)
            try await process.start()
            let finished = try #require(await process.download(.finished))
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        #expect(store.store.contents.value.map(\.transaction) == ["2000000000000101"])
    }

    @Test("A purchase of this device has its download with the answer")
    func bought() async throws {
        let content = try HostedContent.small()
        let store = try ContentStore(content, transactions: [])
        store.store.script.change { script in
            script.pay = { call in
                var transaction = TransactionInfo.apple(request: call.requestIdentifier)
                transaction.content = [content.offer]
                return PaymentCall.Answer(status: .purchased, transaction: transaction, position: .at(5))
            }
        }
        let process = try store.process()
        try await process.running {
            try process.agent.add(.apple)
            try await process.start()
            await process.download(.finished)
        }
    }

    @Test("Finishing the transaction cancels its download and removes the files")
    func finishedTransaction() async throws {
        let store = try ContentStore(try .larger())
        let hold = ContentStore.Hold()
        store.faults.change { $0 = [.cut(after: 50_000), .held(hold)] }
        let process = try store.process()
        try await process.running {
            let transaction = await process.told(.purchased)
            let download = try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            #expect(!store.partialFiles.isEmpty)

            try process.agent.finish(transaction.id)

            await process.download(.cancelled)
            try await until { store.partialFiles.isEmpty }
            #expect(process.agent.downloads(of: download.transactionIdentifier).isEmpty)
            try process.agent.start([download.id])
            await store.store.finishes.until { $0.count == 1 }
        }
        #expect(process.downloads.last?.state == .cancelled)
        #expect(store.contents.isEmpty)
        hold.release()
    }

    @Test("A finished download's content stays when the transaction is finished")
    func contentStays() async throws {
        let content = try HostedContent.small()
        let store = try ContentStore(content)
        let process = try store.process()
        try await process.running {
            let transaction = await process.told(.purchased)
            try await process.start()
            let finished = try #require(await process.download(.finished))
            try process.agent.finish(transaction.id)
            await store.store.finishes.until { $0.count == 1 }
            #expect(try content.isSame(as: try #require(finished.content)))
        }
        #expect(process.downloads.last?.state == .finished)
        process.agent.close()
        #expect(try store.process().agent.content(of: HostedContent.product) != nil)
    }

    @Test("A refund removes the transaction, its download and the files")
    func refunded() async throws {
        let store = try ContentStore(try .larger())
        store.faults.change { $0 = [.cut(after: 50_000)] }
        let process = try store.process()
        try await process.running {
            await process.told(.purchased)
            let download = try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            await store.store.tell(.revoked(.apple, .at(6)))
            await process.updates.until { !$0.removed.isEmpty }
            try await until { store.partialFiles.isEmpty }
            try await until { try await process.agent.journal.download(download.id) == nil }
        }
    }

    @Test("A product that the customer doesn't own any more fails the download, and its files are removed")
    func notOwned() async throws {
        let store = try ContentStore(try .larger())
        store.faults.change {
            $0 = [.cut(after: 50_000), .refused(StoreFailure(.contentNotOwned, "It was refunded."))]
        }
        let process = try store.process()
        try await process.running {
            try await process.start()
            await store.device.clock.naps.until { $0 == 1 }
            store.device.clock.advance(seconds: 1)
            let failed = try #require(await process.download(.failed))
            #expect(failed.failure == DownloadFailure(.notOwned, "It was refunded."))
            #expect(failed.progress == 0)
            #expect(store.partialFiles.isEmpty)
        }
    }

    @Test("Content that the app has moved isn't found any more, and can be downloaded again")
    func moved() async throws {
        let content = try HostedContent.small()
        let store = try ContentStore(content)
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            let folder = try #require(await process.download(.finished)?.content)
            let documents = store.device.folder.appendingPathComponent("documents")
            try FileManager.default.moveItem(at: folder, to: documents)
            #expect(process.agent.content(of: HostedContent.product) == nil)

            try process.agent.start([download.id])
            await process.download(.finished, times: 2)
            #expect(try content.isSame(as: try #require(process.agent.content(of: HostedContent.product))))
            #expect(try content.isSame(as: documents))
        }
    }

    @Test("Starting a finished download whose content is there does nothing")
    func startedAgain() async throws {
        let store = try ContentStore(try .small())
        let process = try store.process()
        try await process.running {
            let download = try await process.start()
            await process.download(.finished)
            try process.agent.start([download.id])
            #expect(try process.onlyDownload().state == .finished)
        }
        #expect(store.store.contents.value.count == 1)
    }

    @Test("Deleted content is gone, and deleting it again does nothing")
    func deleted() async throws {
        let store = try ContentStore(try .small())
        let process = try store.process()
        try await process.running {
            try await process.start()
            let folder = try #require(await process.download(.finished)?.content)

            try process.agent.deleteContent(of: HostedContent.product)

            #expect(!FileManager.default.fileExists(atPath: folder.path))
            #expect(process.agent.content(of: HostedContent.product) == nil)
            try process.agent.deleteContent(of: HostedContent.product)
            try process.agent.deleteContent(of: "unknown")
        }
        #expect(store.contents.isEmpty)
    }

    @Test("Two downloads are active at a time, and the others wait for their turn")
    func turns() async throws {
        let content = try HostedContent.small()
        let products = ["a", "b", "c"]
        let transactions = products.enumerated().map { number, product in
            var transaction = TransactionInfo.apple("200000000000000\(number)")
            transaction.productIdentifier = product
            var offer = content.offer
            offer.product = product
            transaction.content = [offer]
            return transaction
        }
        let store = try ContentStore(content, transactions: transactions)
        // No address: every transfer waits for the store.
        store.store.script.change { script in
            script.content = { _ in throw StoreFailure(.unavailable, "Too much to do.") }
        }
        let process = try store.process()
        try await process.running {
            await process.told(.purchased, times: 3)
            let downloads = transactions.flatMap { process.agent.downloads(of: $0.transactionIdentifier) }
            try process.agent.start(downloads.map(\.id))
            await store.device.clock.naps.until { $0 == 2 }
            func states() -> [AgentDownload.State] {
                transactions.flatMap { process.agent.downloads(of: $0.transactionIdentifier) }.map(\.state)
            }
            #expect(states() == [.active, .active, .waiting])

            try process.agent.cancel([downloads[0].id])
            await store.device.clock.naps.until { $0 == 3 }
            #expect(states() == [.cancelled, .active, .active])
        }
    }

    @Test("A store of an older version offers nothing, and one that sends nonsense is refused")
    func hostileOffers() throws {
        var transaction = TransactionInfo.apple()
        let offer = ContentOffer(product: "a", version: "1", length: 1, files: 2)
        transaction.content = [offer]
        try transaction.check(at: .at(5))
        var wrong = [
            [offer, offer], [ContentOffer(product: "", version: "1", length: 1, files: 2)],
            [ContentOffer(product: "a", version: "", length: 1, files: 2)],
            [ContentOffer(product: "a", version: "1\n", length: 1, files: 2)],
        ]
        wrong.append((0..<17).map { ContentOffer(product: "\($0)", version: "1", length: 1, files: 2) })
        for offers in wrong {
            transaction.content = offers
            #expect(throws: StoreFailure(.unreadableAnswer, "")) { try transaction.check(at: .at(5)) }
        }
    }

    @Test("An answer about another content isn't accepted")
    func hostileAnswers() throws {
        let content = try HostedContent.small()
        let download = Download(content.offer, of: "1")
        try content.answer.check(for: download)
        let changes: [(inout ContentAnswer) -> Void] = [
            { $0.checksum = "../../etc" }, { $0.checksum = String(repeating: "A", count: 64) },
            { $0.product = "other" }, { $0.version = "" }, { $0.version = "1\u{1b}" },
        ]
        for change in changes {
            var answer = content.answer
            change(&answer)
            #expect(throws: StoreFailure(.unreadableAnswer, "")) { try answer.check(for: download) }
        }
    }
}
