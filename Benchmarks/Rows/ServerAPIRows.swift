// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreServer

extension ServerLimits {
    /// Limits that let a seller's server read as fast as it can.
    fileprivate static var manyReads: ServerLimits {
        var limits = ServerLimits()
        limits.serverRequestsPerSecond = 1_000_000
        return limits
    }
}

/// The cost of the App Store Server API in addition to an HTTP server's: the
/// token's signature is verified and the answer is signed, each time.
struct ServerAPIRow: Row {
    static let name = "server-api"
    static let summary =
        "Get Transaction Info of the App Store Server API, 32 connections, against a static answer of Hummingbird of "
        + "the same size"

    private static let readsEach = 100

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let transaction = try await ServedHistory.fill(store, with: 1)
            let load = Load(
                path: "/inApps/v1/transactions/\(transaction)", headers: try await SellerServer(store).headers())
            return try await withServer({ try store.server(port: $0, limits: .manyReads, onServerRunning: $1) }) {
                port in
                try await load.compare("reads", each: readsEach, in: store, at: port)
            }
        }
    }
}

/// The reading of a long history, page by page as Apple gives it out, with 20
/// signed transactions a page.
struct ServerHistoryRow: Row {
    static let name = "server-api-history"
    static let summary =
        "transactions of a history of 10,000, which one client reads in pages of the App Store Server API, against "
        + "as many static answers of Hummingbird of a page's size"

    private static let transactions = 10_000

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let transaction = try await ServedHistory.fill(store, with: transactions)
            let history = ServedHistory(
                path: "/inApps/v2/history/\(transaction)", headers: try await SellerServer(store).headers())
            return try await withServer({ try store.server(port: $0, limits: .manyReads, onServerRunning: $1) }) {
                port in
                let page = try await onThreads(1) { _ in
                    try HTTPConnection(port: port).get(history.path, headers: history.headers).body
                }[0]
                return try await withServer(StaticServer(answer: page).server) { staticPort in
                    try await Comparison(
                        Side("transactions", operations: transactions) {
                            let read = try await onThreads(1) { _ in try history.read(at: port) }[0]
                            guard read == transactions else {
                                throw BenchmarkFailure("The history has \(read) transactions, not \(transactions).")
                            }
                        }.spending(in: store),
                        against: staticPages(at: staticPort))
                }
            }
        }
    }

    private static func staticPages(at port: Int) -> Side {
        Side("transactions", operations: transactions) {
            try await onThreads(1) { _ in
                let connection = try HTTPConnection(port: port)
                for _ in 0..<(transactions / ReadingServedHistory.pageSize) {
                    _ = try connection.get(StaticServer.path)
                }
            }
        }
    }
}

/// The history of an account, as a seller's server reads it.
private struct ServedHistory: Sendable {
    var path: String
    var headers: [String: String]

    private struct Page: Decodable {
        var revision: String
        var hasMore: Bool
        var signedTransactions: [String]
    }

    /// Adds an account with a number of purchases to a store. Returns the
    /// first one's transaction identifier.
    static func fill(_ store: BenchmarkStore, with count: Int) async throws -> String {
        let credentials = Customer.credentials(0)
        let account = try await OpeningTestAccount(store.context)(
            email: "history@example.com", storefront: "USA", device: DeviceIdentifier(credentials.identifier),
            secret: credentials.secret)
        try await OldPurchases(
            store: store, account: account.identifier.rawValue, device: credentials.identifier
        ).add(count, inReceipt: count, from: 0)
        return try await store.engine.read { connection in
            let row = try connection.row("SELECT min(transaction_id) AS transaction_id FROM purchase")
            guard let row else { throw BenchmarkFailure("The store has no purchase.") }
            return try row.get("transaction_id")
        }
    }

    /// Reads all pages. Returns the number of transactions.
    func read(at port: Int) throws -> Int {
        let connection = try HTTPConnection(port: port)
        var (count, place) = (0, "")
        while true {
            let body = try connection.get(path + place, headers: headers).body
            let page = try JSONDecoder().decode(Page.self, from: body)
            count += page.signedTransactions.count
            guard page.hasMore else { return count }
            place = "?revision=\(page.revision)"
        }
    }
}
