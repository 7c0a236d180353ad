// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreMeasurement
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// The statements of comparing and importing a file, and changes of the app by others meanwhile.
struct ImportCostTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)

    private static func file(_ names: [String], price: String = "1.99") -> Data {
        let products = names.map { name in
            #"{"productID": "\#(name)", "type": "Consumable", "displayPrice": "\#(price)", "referenceName": "\#(name)", "#
                + #""localizations": [{"locale": "en_US", "displayName": "A", "description": "B"}]}"#
        }
        return Data("{\"products\": [\(products.joined(separator: ", "))]}".utf8)
    }

    private func upload(_ contents: Data, _ store: TestStore, _ user: TeamUser) async throws -> AppFileDiff {
        let importing = try store.service.importingAppFile()
        try await importing.upload(contents, named: "a.storekit", withdraws: false, to: Self.app, by: user)
        return try #require(try await importing.waiting(of: Self.app, as: user)).diff
    }

    @Test(
        "A file with a thousand new products is compared with few statements, and found before the write",
        arguments: Engine.stores)
    func statements(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let recorder = RecordingDatabase(database)
            let store = try await TestStore(recorder)
            let holder = try await store.setUpTeam()
            let importing = try store.service.importingAppFile()
            let contents = Self.file((0..<1000).map { "new\($0)" })
            try await importing.upload(contents, named: "a.storekit", withdraws: false, to: Self.app, by: holder)
            let before = recorder.count
            let shown = try #require(try await importing.waiting(of: Self.app, as: holder)).diff
            #expect(shown.changes.count == 1000 && shown.problems.isEmpty)
            let cost = recorder.count - before
            #expect(cost.statements < 40, "\(cost)")

            let transactions = try await recorder.transactions {
                try await importing(of: Self.app, version: shown.version, by: holder)
            }
            let write = try #require(transactions.last { $0.isWrite })
            #expect(transactions.filter(\.isWrite).count == 1, "An import is one transaction.")
            let read = write.statements.filter { $0.sql.hasPrefix("SELECT") && $0.sql.contains("product_localization") }
            #expect(read.isEmpty, "The write compares a version, and reads no product: \(read.first?.sql ?? "")")
            #expect(try await store.count("product", where: "product_id LIKE 'new%'") == 1000)
        }
    }

    @Test("Identifiers that other apps of the team have are found among many", arguments: Engine.stores)
    func taken(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(
                    bundleIdentifier: "com.example.basket", name: "Basket", sku: "1", primaryLocale: "en_US"),
                by: holder)
            for name in ["new7", "new150"] {
                try await store.registerProduct(name, in: "com.example.basket", by: holder)
            }
            let shown = try await upload(Self.file((0..<250).map { "new\($0)" }), store, holder)
            #expect(shown.problems.map(\.subject) == [.product("new7"), .product("new150")])
            #expect(shown.problems.allSatisfy { $0.kind == .taken })
        }
    }

    /// A store in which another one changes the app each time that a file was compared, at most some times.
    private func withMeddler(
        _ engine: Engine, times: Int, _ change: String, _ body: (TestStore, TeamUser) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let left = Mutex(times)
            let store = try await TestStore(database) { step in
                guard step == "upload:compared" else { return }
                let isOver = left.withLock { left in
                    left -= 1
                    return left < 0
                }
                if isOver { return }
                do {
                    try database.writeAndWait { connection in _ = try connection.run(change, []) }
                } catch {
                    Issue.record(error)
                }
            }
            try await body(store, try await store.setUpTeam())
        }
    }

    @Test(
        "A file is compared again when another product has changed between its comparison and its write",
        arguments: Engine.stores)
    func otherProduct(engine: Engine) async throws {
        let change = "UPDATE product SET edit_number = edit_number + 1 WHERE product_id = 'juice'"
        try await withMeddler(engine, times: 2, change) { store, holder in
            let shown = try await upload(Self.file(["new1"]), store, holder)
            try await store.service.importingAppFile()(of: Self.app, version: shown.version, by: holder)
            #expect(try await store.count("product", where: "product_id = 'new1'") == 1)
            let log = try await store.service.teamReader.changes(as: holder).entries.map(\.kind)
            #expect(log == [.fileImported, .teamSetUp])
        }
        try await withMeddler(engine, times: .max, change) { store, holder in
            let shown = try await upload(Self.file(["new1"]), store, holder)
            await #expect(throws: DomainError(.busy, "")) {
                try await store.service.importingAppFile()(of: Self.app, version: shown.version, by: holder)
            }
            #expect(try await store.count("product", where: "product_id = 'new1'") == 0)
        }
    }

    @Test(
        "A value that another user changes between the comparison and the write isn't overwritten",
        arguments: Engine.stores)
    func sameProduct(engine: Engine) async throws {
        let change = "UPDATE product SET edit_number = edit_number + 1, milliunits = 5000 WHERE product_id = 'apple'"
        try await withMeddler(engine, times: 1, change) { store, holder in
            let text = TestStore.catalogue.replacing("\"0.99\"", with: "\"1.29\"")
            let shown = try await upload(Data(text.utf8), store, holder)
            await #expect(throws: DomainError.changed) {
                try await store.service.importingAppFile()(of: Self.app, version: shown.version, by: holder)
            }
            #expect(try await store.registration("apple", as: holder).product.milliunits == 5000)
        }
        try await withMeddler(engine, times: 1, change) { store, holder in
            let editing = try store.service.editingTable()
            try await editing.upload(
                Data("product_id,price\napple,1.29\n".utf8), named: "a.csv", to: Self.app, by: holder)
            let shown = try #require(try await editing.waiting(of: Self.app, as: holder)).diff
            await #expect(throws: DomainError.changed) {
                try await editing(of: Self.app, version: shown.version, by: holder)
            }
            #expect(try await store.registration("apple", as: holder).product.milliunits == 5000)
        }
    }

    @Test(
        "Another app that takes an identifier between the comparison and the write keeps it", arguments: Engine.stores)
    func takenMeanwhile(engine: Engine) async throws {
        let change =
            "INSERT INTO team_product (team_id, product_id, bundle_id) VALUES ('store', 'new1', 'com.example.b')"
        try await withMeddler(engine, times: 1, change) { store, holder in
            let shown = try await upload(Self.file(["new1"]), store, holder)
            await #expect(throws: DomainError(.invalid, "")) {
                try await store.service.importingAppFile()(of: Self.app, version: shown.version, by: holder)
            }
            #expect(try await store.count("product", where: "product_id = 'new1'") == 0)
        }
    }

    @Test(
        "Of two users who import other prices of a product at the same time, one has to look again",
        arguments: Engine.stores)
    func twoUsers(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let developer = try await store.addUser(.developer, to: holder)
            let (first, second) = (
                try await upload(Self.file(["new1"], price: "1.99"), store, holder).version,
                try await upload(Self.file(["new1"], price: "2.99"), store, developer).version
            )
            let importing = try store.service.importingAppFile()
            func isImported(_ version: String, _ user: TeamUser) async throws -> Bool {
                do {
                    try await importing(of: Self.app, version: version, by: user)
                    return true
                } catch let error as DomainError where error.code == .changed {
                    return false
                }
            }
            async let one = isImported(first, holder)
            async let other = isImported(second, developer)
            let results = try await [one, other]
            #expect(results.count { $0 } == 1)
            let price = try await store.registration("new1", as: holder).product.milliunits
            #expect(price == (results[0] ? 1990 : 2990))
            let log = try await store.service.teamReader.changes(containing: "new1", as: holder).entries.map(\.kind)
            #expect(log == [.fileImported])
        }
    }
}
