// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKitTest
import StoreTestSupport
import Testing

@testable import StoreKit

/// Test processes with listeners of StoreKit 2, each of which has its own
/// sessions.
@Suite(.timeLimit(.hang))
struct ListenerProcessTests {
    @Test("A listener that lives longer than the sessions uses their agents only, and starts none of its own")
    func gap() async throws {
        let configuration = try Configuration()
        let home = try TemporaryFolder()
        await #expect(processExitsWith: .success) {
            [file = configuration.url as URL, home = home.path("") as String] in
            TestProcess.setHome(home)
            exit(try await TestProcess.listen(file) ? 0 : 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("")).isEmpty)
    }

    @Test("Processes that run at the same time on one device have their own purchases only")
    func parallel() async throws {
        let configuration = try Configuration()
        let home = try TemporaryFolder()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [file = configuration.url as URL, home = home.path("") as String] in
                        TestProcess.setHome(home)
                        exit(try await TestProcess.buy(file) ? 0 : 1)
                    }
                }
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("")).isEmpty)
    }
}

/// The work of a test process.
@MainActor
private enum TestProcess {
    /// Makes a folder the place of the device's data.
    nonisolated static func setHome(_ folder: String) {
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] { setenv(name, folder, 1) }
        for name in ["STOREKIT_HOME", "STOREKIT_STORE_URL"] { unsetenv(name) }
    }

    /// Listens before the first session and between two sessions.
    ///
    /// - Returns: whether each session's purchase is an update, and no other
    ///   agent was started.
    static func listen(_ file: URL) async throws -> Bool {
        let received = Received()
        let listener = Task { await received.listen() }
        let (messages, storefronts) = (Task { await waitForMessage() }, Task { await waitForStorefront() })
        for product in ["apple", "juice"] {
            for _ in 0..<1000 { await Task.yield() }
            guard AgentHost.shared.current == nil else { return false }
            let session = try SKTestSession(contentsOf: file)
            session.disableDialogs = true
            try session.buyProduct(productIdentifier: product)
            while received.products.last != product { try await letOthersRun() }
            withExtendedLifetime(session) {}
        }
        for listener in [messages, storefronts] { listener.cancel() }
        listener.cancel()
        return received.products == ["apple", "juice"]
    }

    /// Buys with both APIs, beside other processes.
    ///
    /// - Returns: whether the transactions are those of this process.
    static func buy(_ file: URL) async throws -> Bool {
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        let received = Received()
        let listener = Task { await received.listen() }
        for _ in 0..<10 {
            let juice = try await bought("juice")
            await juice.finish()
        }
        let apple = try await bought("apple")
        try session.buyProduct(productIdentifier: "juice")
        while received.products.isEmpty { try await letOthersRun() }
        listener.cancel()
        let (entitlements, unfinished) = (
            await products(Transaction.currentEntitlements), await products(Transaction.unfinished)
        )
        await apple.finish()
        return received.products == ["juice"] && entitlements == ["apple"] && Set(unfinished) == ["apple", "juice"]
            && session.allTransactions().count == 12
    }

    private nonisolated static func waitForStorefront() async {
        for await _ in Storefront.updates { return }
    }

    private nonisolated static func waitForMessage() async {
        for await _ in Message.messages { return }
    }
}

/// The products of the updates that a listener has received.
@MainActor
private final class Received {
    private(set) var products: [String] = []

    func listen() async {
        for await update in Transaction.updates { products.append(update.unsafePayloadValue.productID) }
    }
}
