// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreMeasurement
import StoreServer
import StoreService

/// Whether the last page of a long list of products takes as long as a page of
/// a short one. A list is that of an app, which has at most 10,000 products.
struct ConnectProductsRow: Row {
    static let name = "connect-products"
    static let summary =
        "the last page of Connect's list of an app's 10,000 products, in a store with 100,000, 8 connections, against "
        + "the last page of 100 products"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let long = try await BenchmarkStore(in: ConnectLists.folder("long", in: folder), products: 10_000, apps: 10)
            let short = try await BenchmarkStore(in: ConnectLists.folder("short", in: folder), products: 100)
            return try await ConnectLists.compare(
                long, path: path(10_000), firstPath: path(nil), short, path: path(100),
                entry: "/products/\(BenchmarkStore.product)")
        }
    }

    /// The path of the last page of a number of products; of the first page
    /// for `nil`.
    private static func path(_ products: Int?) -> String {
        let page = "/connect/apps/\(BenchmarkStore.app)"
        guard let products else { return page }
        let identifiers = BenchmarkStore.products(products).sorted()
        return "\(page)?after=\(identifiers[products - ConnectLists.pageSize - 1])"
    }
}

/// Whether the thousandth page of a million purchases takes as long as a page
/// of a hundred.
struct ConnectTransactionsRow: Row {
    static let name = "connect-transactions"
    static let summary =
        "page 1,000 of Connect's list of 1,000,000 purchases, 8 connections, against page 2 of 100 purchases"

    private static let page = "/connect/transactions?app=\(BenchmarkStore.app)"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let long = try await store(in: ConnectLists.folder("long", in: folder), purchases: GrownStore.purchases)
            let short = try await store(in: ConnectLists.folder("short", in: folder), purchases: 100)
            return try await ConnectLists.compare(
                long, path: path(1000, of: GrownStore.purchases), firstPath: page, short,
                path: path(2, of: 100), entry: "class=\"name\"")
        }
    }

    private static func store(in folder: URL, purchases: Int) async throws -> BenchmarkStore {
        let store = try await BenchmarkStore(in: folder)
        try await GrownStore(store.engine, isPostgreSQL: false, purchases: purchases).fill()
        return store
    }

    /// The path of a page. The purchases of a grown store have their numbers,
    /// from 1 on, as their dates in milliseconds.
    private static func path(_ number: Int, of purchases: Int) -> String {
        "\(page)&before=\(purchases - (number - 1) * ConnectLists.pageSize + 1).0"
    }
}

/// Pages of Connect that a user opens again and again.
private enum ConnectLists {
    static let pageSize = ReadingTeam.pageSize
    private static let pagesEach = 20

    /// A new folder for a store.
    static func folder(_ name: String, in folder: URL) throws -> URL {
        let folder = folder.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Compares a page of a long list with one of a short list, and with the
    /// first page of the long one. `entry` is a text that each entry of a page
    /// has once.
    static func compare(
        _ long: BenchmarkStore, path: String, firstPath: String, _ short: BenchmarkStore,
        path shortPath: String, entry: String
    ) async throws -> Comparison {
        try await withServer(long.server) { port in
            try await withServer(short.server) { shortPort in
                let session = try await cookie(of: long)
                let first = try await side(firstPath, entry, session, at: port)
                return try await Comparison(
                    side(path, entry, session, at: port).spending(in: long),
                    against: side(shortPath, entry, try await cookie(of: short), at: shortPort),
                    beside: [("the first page", first)])
            }
        }
    }

    /// The header with the session of the account holder of the store's team.
    private static func cookie(of store: BenchmarkStore) async throws -> [String: String] {
        guard let path = try await SettingUpTeam(store.context).path(for: Team.ofTheStore),
            let token = path.split(separator: "/").last
        else { throw BenchmarkFailure("The store's team is set up already.") }
        let holder = try await store.service.setUpTeam(
            by: String(token), named: "Fruit Shop",
            user: NewUser(email: "holder@example.com", name: "Holder", password: "a long password"), from: nil)
        return ["Cookie": "__Host-connect_session=\(try await store.service.teamSessions(for: holder))"]
    }

    private static func side(
        _ path: String, _ entry: String, _ headers: [String: String], at port: Int
    ) async throws -> Side {
        let load = Load(connections: 8, path: path, headers: headers)
        let page = try await load.answer(at: port)
        let entries = String(decoding: page, as: UTF8.self).components(separatedBy: entry).count - 1
        guard entries == pageSize else { throw BenchmarkFailure("The page \(path) has \(entries) entries.") }
        return load.side("pages", each: pagesEach, at: port, length: page.count)
    }
}
