// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import FlowerGarden

/// The three ways to persist a purchase without a server.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.minutes(10)))
@MainActor
struct PersistingTests {
    private let roses = "com.example.FlowerGarden.Roses"

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
}
