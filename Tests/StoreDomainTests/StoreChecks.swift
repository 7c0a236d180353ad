// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport
import Synchronization

extension TestStore {
    /// Withdraws all products but one.
    func sellOnly(_ product: String) async throws {
        var configuration = try StoreKitConfigurationFile(
            Data(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: BundleIdentifier(Self.bundleIdentifier))
        configuration.products.removeAll { $0.productIdentifier.rawValue != product }
        try await ImportingCatalogue(context)(
            configuration, into: App(bundleIdentifier: BundleIdentifier(Self.bundleIdentifier), name: "Fruit"))
    }
}

/// A fault that happens once.
final class Switch: Sendable {
    private let isOn = Mutex(true)

    func breakAgain() {
        isOn.withLock { $0 = true }
    }

    func fail() throws {
        let isFirst = isOn.withLock { isOn in
            defer { isOn = false }
            return isOn
        }
        if isFirst { throw DomainError(.providerUnavailable, "The line went dead.") }
    }
}
