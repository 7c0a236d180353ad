// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreKit

/// The store's product page, in an app without a store's address.
@Suite(.serialized, .oneAppAtATime)
@MainActor
struct ProductPageTests {
    init() {
        #expect(SharedStoreKit.isConfigured)
    }

    @Test("Each parameter is read by Apple's key")
    func parameters() throws {
        let read = try ItemPageRequest(parameters: [
            SKStoreProductParameterITunesItemIdentifier: NSNumber(value: 1001),
            SKStoreProductParameterProductIdentifier: "com.example.pear",
            SKStoreProductParameterAffiliateToken: "friends", SKStoreProductParameterCampaignToken: "autumn",
            SKStoreProductParameterProviderToken: "118571", SKStoreProductParameterAdvertisingPartnerToken: "orchard",
            SKStoreProductParameterCustomProductPageIdentifier: "4e1b-1", "adNetworkId": 7,
        ])
        #expect(read.item == 1001 && read.product == "com.example.pear")
        #expect(read.tokens.text == "at=friends&ct=autumn&pt=118571&advp=orchard&ppid=4e1b-1")
    }

    @Test("The number of an item has any type of a whole number, or is a text")
    func numbers() throws {
        let largest: UInt64 = 9_007_199_254_740_991
        for value in [7, NSNumber(value: 7), Int64(7), UInt8(7), "7", "7" as NSString] as [Any] {
            #expect(try ItemPageRequest(parameters: ["id": value]).item == 7, "\(type(of: value))")
        }
        #expect(try ItemPageRequest(parameters: ["id": largest]).item == Int64(largest))
        for value in [0, -1, largest + 1, UInt64.max, "", "x", "7.0", 7.5, [7], NSNumber(value: 7.5)] as [Any] {
            #expect(throws: SKError.self, "\(value)") { _ = try ItemPageRequest(parameters: ["id": value]) }
        }
    }

    @Test("Parameters of another form are refused by name, and nothing is sent")
    func refused() async throws {
        let page = SKStoreProductViewController()
        let wrong: [[String: Any]] = [
            [:], ["id": 1, "at": 7], ["id": 1, "ct": "two words"], ["id": 1, "pt": ""],
            ["id": 1, "advp": String(repeating: "a", count: 65)], ["id": 1, "ppid": ["x"]],
            ["id": 1, "productIdentifier": String(repeating: "a", count: 256)],
        ]
        for parameters in wrong {
            let error = await #expect(throws: SKError.self) {
                _ = try await page.loadProduct(withParameters: parameters)
            }
            let key = parameters.keys.first { $0 != "id" } ?? "id"
            #expect(error?.code == .unknown)
            #expect(error.map(SKError.message(of:))?.contains("\"\(key)\"") == true, "\(error as Any)")
        }
    }

    @Test("Without a store, loading fails on the main queue with the network's error, and nothing is shown")
    func offline() async throws {
        let page = SKStoreProductViewController()
        let error = await withCheckedContinuation { continuation in
            page.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: 1]) { isLoaded, error in
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(!isLoaded)
                continuation.resume(returning: error as? SKError)
            }
        }
        #expect(error?.code == .unknown && error?.userInfo[NSUnderlyingErrorKey] is URLError)
        let delegate = Finishes()
        page.delegate = delegate
        let shown = await #expect(throws: SKError.self) { try await page.present() }
        #expect(shown.map(SKError.message(of:))?.contains("loadProduct") == true && delegate.count == 0)
    }
}

@MainActor
private final class Finishes: NSObject, SKStoreProductViewControllerDelegate {
    var count = 0

    nonisolated override init() {
        super.init()
    }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        count += 1
    }
}
