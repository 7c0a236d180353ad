// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreTestSupport

/// The tables, catalogue and accounts with which every simulated store
/// begins. They are made once, because hashing passwords takes long.
struct Template: @unchecked Sendable {  // because nothing changes it after it was made
    let disk: SimulatedDisk
    let accounts: [Account]
    /// The customers whose devices are switched off, and these devices.
    let absent: [(account: Account, device: DeviceCredentials)]
    let folder: TemporaryFolder
    let trust: URL
    /// Two apps, whose products have the same identifiers.
    static let bundles = [TestStore.bundleIdentifier, "com.example.market"]

    private static let absentCustomers = 10

    /// The codes of the apps, in a template with offers.
    let codes: [OfferedPlans.Code]
    /// Whether products have offers, and their prices rise.
    let sellsOffers: Bool

    static let shared = Task { try await Template(sellsOffers: false) }
    static let offered = Task { try await Template(sellsOffers: true) }
    /// The accounts are a family.
    static let related = Task { try await Template(sellsOffers: false, isFamily: true) }
    /// The customers whose devices are switched off are two families.
    static let agreeing = Task { try await Template(sellsOffers: true, hasFamilies: true) }

    private init(sellsOffers: Bool, isFamily: Bool = false, hasFamilies: Bool = false) async throws {
        self.sellsOffers = sellsOffers
        folder = try TemporaryFolder()
        trust = URL(fileURLWithPath: folder.path("root.cer"))
        try Data(TestStore.authority.get().rootsPEM.utf8).write(to: trust)
        disk = SimulatedDisk()
        let life = ProcessLife("template", on: disk)
        let root = folder.path("template")
        SimulatedVFS.mount(life, at: root)
        defer { SimulatedVFS.unmount(root) }
        let engine = try SQLiteDatabase(.file(root + "/" + SimulatedNode.file))
        let store = try await TestStore(engine)
        accounts = [
            try await store.addAccount("anna@example.com"),
            try await store.addAccount("bert@example.com", storefront: isFamily ? "USA" : "DEU"),
            try await store.addAccount("cleo@example.com"),
        ]
        if isFamily { try await Self.raise(accounts, in: store) }
        let catalogue =
            hasFamilies
            ? Self.agreedCatalogue
            : isFamily ? Self.sharedCatalogue : sellsOffers ? Self.offeredCatalogue : Self.catalogue
        for (bundle, name) in zip(Self.bundles, ["Fruit", "Market"]) {
            try await ImportingCatalogue(store.context)(
                try StoreKitConfigurationFile(
                    Data(catalogue.utf8), file: "\(name).storekit",
                    bundleIdentifier: BundleIdentifier(bundle)),
                into: App(bundleIdentifier: BundleIdentifier(bundle), name: name))
        }
        try await SettingGracePeriod(store.context)(days: 16, of: BundleIdentifier(Self.bundles[1]))
        var absent: [(account: Account, device: DeviceCredentials)] = []
        for number in 10..<(hasFamilies ? Self.members : Self.absentCustomers) + 10 {
            let device = TestDevice(number: UInt8(number), store: store).credentials
            let account = try await OpeningTestAccount(store.context)(
                email: "absent\(number)@example.com", storefront: "USA",
                device: DeviceIdentifier(rawValue: device.identifier), secret: device.secret)
            absent.append((account, device))
        }
        self.absent = absent
        if hasFamilies { try await Self.raiseTwo(of: absent.map(\.account), in: store) }
        codes =
            (sellsOffers ? try await Self.prepareOffers(in: store) : [])
            + (hasFamilies ? try await Self.prepareReturns(in: store) : [])
        try engine.close()
    }
}
