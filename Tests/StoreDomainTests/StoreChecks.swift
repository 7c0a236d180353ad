// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreDomain
import StoreTestSupport
import Synchronization

extension Engine {
    /// A store on an empty database of this engine.
    func withStore(_ body: (TestStore) async throws -> Void) async throws {
        try await withDatabase { try await body(try await TestStore($0)) }
    }
}

extension TestStore {
    /// The amounts in the ledger, in thousandths, the largest first.
    func ledger() async throws -> [Int64] {
        try await ReadingLedger(context)().map(\.amount.milliunits).sorted(by: >)
    }

    /// Withdraws all products but one.
    func sellOnly(_ product: String) async throws {
        var configuration = try StoreKitConfigurationFile(
            Data(Self.catalogue.utf8), file: "test.storekit", bundleIdentifier: Self.bundleIdentifier)
        configuration.products.removeAll { $0.productIdentifier != product }
        try await ImportingCatalogue(context)(
            configuration, into: App(bundleIdentifier: Self.bundleIdentifier, name: "Fruit"))
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
