// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

@testable import FlowerGarden

/// The three ways to persist a purchase without a server.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
@MainActor
struct PersistingTests {
    private let session: SKTestSession
    private let roses = "com.example.FlowerGarden.Roses"

    init() throws {
        session = try SKTestSession(
            contentsOf: URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Examples/FlowerGarden/FlowerGarden.storekit"))
        session.disableDialogs = true
    }

    @Test("The receipt has the purchase, and one of another app or another device has none here")
    func receipt() throws {
        try session.buyProduct(productIdentifier: roses)
        let receipt = try Data(contentsOf: #require(Bundle.main.appStoreReceiptURL))
        let root = try #require(session.rootCertificate)
        let bundle = try UnverifiedAppReceipt(parsing: receipt).contents.bundleIdentifier

        let device = try #require(deviceIdentifier)

        let way = try InReceipt(root: root, bundleIdentifier: bundle, deviceIdentifier: device)
        #expect(way.isPurchased(roses, receipt: receipt, at: session.currentDate))
        #expect(!way.isPurchased("com.example.FlowerGarden.Tulips", receipt: receipt, at: session.currentDate))
        let otherApp = try InReceipt(root: root, bundleIdentifier: "com.example.other", deviceIdentifier: device)
        #expect(!otherApp.isPurchased(roses, receipt: receipt, at: session.currentDate))
        let otherDevice = try InReceipt(root: root, bundleIdentifier: bundle, deviceIdentifier: Data(count: 16))
        #expect(!otherDevice.isPurchased(roses, receipt: receipt, at: session.currentDate))
    }

    @Test("User defaults have the purchase on this device")
    func defaults() throws {
        let name = "FlowerGardenTests.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let way = InUserDefaults(defaults: defaults)
        #expect(!way.isPurchased(roses))
        way.setPurchased(roses)
        #expect(way.isPurchased(roses))
    }

    @Test("The key-value store has the purchase, also for another object of it")
    func keyValueStore() {
        let way = InKeyValueStore(store: .default)
        #expect(!way.isPurchased(roses))
        way.setPurchased(roses)
        #expect(InKeyValueStore(store: NSUbiquitousKeyValueStore()).isPurchased(roses))
    }
}
