// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAgent
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// Several sessions in one process, and how a session is made.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct SessionIsolationTests {
    @Test("Sessions don't see the transactions of one another") func sessionsDoNotSeeOneAnother() async throws {
        let configuration = try Configuration()
        let first = try configuration.session()
        let app = App()
        app.finishes = false
        await app.buy("apple")

        let second = try configuration.session()
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        #expect(second.allTransactions().isEmpty)
        await app.buy("juice")
        try first.buyProduct(productIdentifier: "juice")

        #expect(first.allTransactions().map(\.productIdentifier) == ["apple", "juice"])
        #expect(second.allTransactions().map(\.productIdentifier) == ["juice"])
        #expect(app.heard == ["purchasing apple", "purchased apple", "purchasing juice", "purchased juice"])
        app.quit()
    }

    @Test("A transaction of another session finishes none of the current session's")
    func aTransactionOfAnotherSessionFinishesNothingHere() async throws {
        let configuration = try Configuration()
        let queue = SKPaymentQueue.default()
        let first = try configuration.session()
        let app = App()
        app.finishes = false
        await app.buy("juice")
        let old = try #require(queue.transactions.first)

        let second = try configuration.session()
        // Before the session has a transaction with the same identifier, and after that.
        queue.finishTransaction(old)
        await app.buy("juice")
        let new = try #require(queue.transactions.first)
        queue.finishTransaction(old)

        #expect(old.transactionIdentifier == new.transactionIdentifier && old != new)
        #expect(app.heard.filter { $0 == "purchased juice" }.count == 2)
        #expect(queue.transactions == [new])
        queue.finishTransaction(new)
        await mainQueueUpdates()
        #expect(queue.transactions.isEmpty && app.heard.last == "removed juice")
        app.quit()
        withExtendedLifetime((first, second)) {}
    }

    @Test("Clearing removes the transactions from the queue, and the session's time stays")
    func whatIsClearedIsRemovedAndTheTimeStays() async throws {
        let session = try Configuration().session()
        try session.advance(by: .seconds(86_400))
        let time = session.currentDate
        let queue = SKPaymentQueue.default()
        let app = App()
        app.finishes = false
        await app.buy("juice")
        let old = try #require(queue.transactions.first)

        session.clearTransactions()
        await mainQueueUpdates()
        #expect(app.heard.last == "removed juice" && queue.transactions.isEmpty)
        #expect(session.currentDate == time)
        await app.buy("juice")
        #expect(queue.transactions.first != old && app.heard.last == "purchased juice")
        session.resetToDefaultState()
        #expect(session.currentDate == time)
        app.quit()
    }

    @Test("The app returns to the previous session when the newest session ends")
    func theAppGoesBackToTheSessionBeforeWhenTheNewestEnds() async throws {
        let configuration = try Configuration()
        let first = try configuration.session()
        let app = App()
        do {
            let second = try configuration.session()
            try second.buyProduct(productIdentifier: "juice")
            // Clearing the older session doesn't connect the app to it.
            first.clearTransactions()
            await app.buy("apple")
            #expect(second.allTransactions().map(\.productIdentifier) == ["juice", "apple"])
        }
        await app.buy("juice")
        #expect(first.allTransactions().map(\.productIdentifier) == ["juice"])
        app.quit()
    }

    @Test("Purchases of one moment are listed in the order in which they were made")
    func whatWasBoughtInOneMomentIsListedInItsOrder() async throws {
        let session = try Configuration().session()
        let app = App()
        for product in ["juice", "apple", "juice", "juice"] { try session.buyProduct(productIdentifier: product) }
        session.askToBuyEnabled = true
        for _ in 0..<201 { SKPaymentQueue.default().add(SKPayment(productIdentifier: "juice")) }
        session.askToBuyEnabled = false
        await app.buy("apple")

        let all = session.allTransactions()
        #expect(all.prefix(4).map(\.productIdentifier) == ["juice", "apple", "juice", "juice"])
        #expect(all.filter(\.pendingAskToBuyConfirmation).count == 201)
        #expect(all.last?.productIdentifier == "apple" && all.count == 206)
        app.quit()
    }

    @Test("A purchase from outside the app isn't offered in a later session")
    func whatWaitsToBeOfferedIsOfferedInItsOwnSessionOnly() async throws {
        let configuration = try Configuration()
        let first = try configuration.session()
        #expect(openStorePayment(try purchaseAddress("juice")))
        let second = try configuration.session()
        let shop = Shop(answer: false)
        SKPaymentQueue.default().add(shop)
        try second.buyProduct(productIdentifier: "apple")
        #expect(shop.asked.isEmpty)
        SKPaymentQueue.default().remove(shop)
        withExtendedLifetime(first) {}
    }

    @Test("The session's root certificate verifies the receipt")
    func theReceiptIsOfTheSessionsRootCertificate() throws {
        let session = try Configuration().session()
        try session.buyProduct(productIdentifier: "apple")
        let receipt = try Data(contentsOf: try #require(Bundle.main.appStoreReceiptURL))
        let verifier = AppReceiptVerifier(trusting: try TrustRoots(pemOrDER: try #require(session.rootCertificate)))
        let verdict = try verifier.verify(
            receipt,
            expecting: .init(bundleIdentifier: try AgentHost.appUnderTest().bundleIdentifier))
        guard case .verified = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test("A process makes fifty sessions, and each has only its own purchase")
    func aSuiteCanHaveHundreds() async throws {
        let configuration = try Configuration()
        var session = try configuration.session()
        let app = App()
        for _ in 0..<50 {
            session = try configuration.session()
            try session.buyProduct(productIdentifier: "apple")
            #expect(session.allTransactions().count == 1)
        }
        #expect(app.heard.filter { $0 == "purchased apple" }.count == 50)
        app.quit()
    }

    @Test("Two sessions give their transactions the same identifiers") func twoSessionsGiveTheSameNumbers() throws {
        let configuration = try Configuration()
        let numbers = try (0..<2).map { _ in
            let session = try configuration.session()
            try session.buyProduct(productIdentifier: "apple")
            return session.allTransactions().map(\.identifier)
        }
        #expect(numbers[0] == numbers[1])
    }

    @Test("An ended session removes the folder of its receipt") func anEndedSessionLeavesNothingBehind() throws {
        let configuration = try Configuration()
        var receipt: URL?
        do {
            let session = try configuration.session()
            try session.buyProduct(productIdentifier: "apple")
            receipt = Bundle.main.appStoreReceiptURL
            #expect(session.allTransactions().count == 1)
        }
        let folder = try #require(receipt).deletingLastPathComponent()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("A session that lives until its process exits leaves no temporary files")
    func aSessionThatLivesAsLongAsTheProcessLeavesNothingBehind() async throws {
        let configuration = try Configuration()
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) {
            [file = configuration.url as URL, folder = folder.path("") as String] in
            setenv("TMPDIR", folder, 1)
            let session = try SKTestSession(contentsOf: file)
            let began = try FileManager.default.contentsOfDirectory(atPath: folder)
            withExtendedLifetime(session) { exit(began.isEmpty ? 1 : 0) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    @Test("A session has the settings of its file") func theSettingsOfTheFileHold() throws {
        let configuration = try Configuration(
            settings: #""_storefront" : "DEU", "_locale" : "de_DE", "_askToBuyEnabled" : true, "_timeRate" : 0"#)
        let session = try SKTestSession(contentsOf: configuration.url)

        #expect(session.storefront == "DEU")
        #expect(session.locale.identifier == "de_DE")
        #expect(session.askToBuyEnabled && !session.disableDialogs && !session.failTransactionsEnabled)
    }

    @Test("A session with an unknown storefront in its file has the storefront USA")
    func aStorefrontThatIsNotKnownIsTheUsualOne() throws {
        let configuration = try Configuration(settings: #""_storefront" : "ATL""#)
        let session = try SKTestSession(contentsOf: configuration.url)
        #expect(session.storefront == "USA")
    }

    @Test("A missing or invalid configuration file is an error that names the file")
    func aFileThatIsNotThereOrNoConfigurationIsNamed() throws {
        let folder = try TemporaryFolder()
        let missing = URL(fileURLWithPath: folder.path("Missing.storekit"))
        let broken = URL(fileURLWithPath: folder.path("Broken.storekit"))
        try Data("{".utf8).write(to: broken)

        for (url, name) in [(missing, "Missing.storekit"), (broken, "Broken.storekit")] {
            let error = #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: url) }
            #expect(error?.code == .fileNotFound)
            #expect(error?.localizedDescription.contains(name) == true)
        }
        let error = #expect(throws: SKTestError.self) { try SKTestSession(configurationFileNamed: "Nowhere") }
        #expect(error?.code == .fileNotFound)
        let address = try #require(URL(string: "https://store.example/Fruit.storekit"))
        #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: address) }
    }

    @Test("A session finds a file of the test's resources by its name")
    func aFileOfTheTestsResourcesIsFoundByItsName() throws {
        let session = try SKTestSession(configurationFileNamed: "Basket")
        try session.buyProduct(productIdentifier: "basket")
        #expect(session.allTransactions().map(\.productIdentifier) == ["basket"])
    }
}
