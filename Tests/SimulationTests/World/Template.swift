// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDatabase
import StoreDomain
import StoreTestSupport

/// The tables, catalogue and accounts with which every simulated store
/// begins. They are made once, because hashing passwords takes long.
struct Template: @unchecked Sendable {  // because nothing changes it after it was made
    let disk: SimulatedDisk
    let accounts: [Account]
    let folder: TemporaryFolder
    let trust: URL
    /// Two apps, whose products have the same identifiers.
    static let bundles = [TestStore.bundleIdentifier, "com.example.market"]

    static let shared = Task { try await Template() }

    private init() async throws {
        folder = try TemporaryFolder()
        trust = URL(fileURLWithPath: folder.path("root.cer"))
        try TestStore.authority.get().rootCertificate.write(to: trust)
        disk = SimulatedDisk()
        let life = ProcessLife("template", on: disk)
        let root = folder.path("template")
        SimulatedVFS.mount(life, at: root)
        defer { SimulatedVFS.unmount(root) }
        let engine = try SQLiteDatabase(.file(root + "/" + SimulatedNode.file))
        let store = try await TestStore(engine)
        accounts = [
            try await store.addAccount("anna@example.com"),
            try await store.addAccount("bert@example.com", storefront: "DEU"),
            try await store.addAccount("cleo@example.com"),
        ]
        try await ImportingCatalogue(store.context)(
            try StoreKitConfigurationFile(
                Data(TestStore.catalogue.utf8), file: "market.storekit",
                bundleIdentifier: BundleIdentifier(Self.bundles[1])),
            into: App(bundleIdentifier: BundleIdentifier(Self.bundles[1]), name: "Market"))
        try engine.close()
    }
}
