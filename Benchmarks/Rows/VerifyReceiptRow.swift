// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI

/// The cost of verifying in addition to an HTTP server's: both sides receive
/// the same requests from the same client, and answer with the same number of
/// bytes. The store doesn't have the purchase.
struct VerifyReceiptRow: Row {
    static let name = "verifyReceipt"
    static let summary =
        "/verifyReceipt for a receipt with one purchase, 32 connections, against a static answer of Hummingbird "
        + "of the same size"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            return try await withServer(store.server) { port in
                try await VerifiedReceipts.compare(in: store, at: port) { _ in
                    try BenchmarkStore.authority.get()
                        .sign(OnePurchase(bundleIdentifier: BenchmarkStore.app).receipt()).base64EncodedString()
                }
            }
        }
    }
}

/// The same for a receipt whose purchase is in the store's database, as the
/// receipts of customers are.
struct VerifyReceiptBoughtRow: Row {
    static let name = "verifyReceipt-bought"
    static let summary =
        "/verifyReceipt for a receipt that the store has issued for a purchase in its database, 32 connections, "
        + "against a static answer of Hummingbird of the same size"

    static func compare() async throws -> Comparison {
        try await VerifiedReceipts.compareBought { customer, _, connection in
            try customer.receipt(over: connection)
        }
    }
}

/// The same for a receipt of a single transaction, the format that preceded
/// app receipts.
struct VerifyReceiptOldRow: Row {
    static let name = "verifyReceipt-old"
    static let summary =
        "/verifyReceipt for a transaction's own receipt (transactionReceipt) that the store has issued, 32 "
        + "connections, against a static answer of Hummingbird of the same size"

    static func compare() async throws -> Comparison {
        try await VerifiedReceipts.compareBought { customer, transaction, connection in
            try customer.call(
                TransactionReceiptsCall(
                    bundleIdentifier: BenchmarkStore.app, applicationVersion: "1.0", transactions: [transaction]),
                over: connection
            ).receipts[transaction]
        }
    }
}

private enum VerifiedReceipts {
    private static let verificationsEach = 250

    /// A receipt of a purchase that a customer has made.
    typealias Issuing =
        @Sendable (_ customer: Customer, _ transaction: String, _ connection: HTTPConnection) throws -> String?

    /// Compares with a receipt that the store issues for an unfinished
    /// purchase.
    static func compareBought(_ issue: @escaping Issuing) async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let store = try await BenchmarkStore(in: folder)
            let customer = try await Customer(0, of: store)
            return try await withServer(store.server) { port in
                try await compare(in: store, at: port) { port in
                    try await onThreads(1) { _ in
                        let connections = try Connections([port])
                        let cookie = try customer.signInBuying(over: connections)
                        let transaction = try customer.buyOnly(request: "kept", cookie: cookie, over: connections)
                        guard let receipt = try issue(customer, transaction, connections.device) else {
                            throw BenchmarkFailure("The store has issued no receipt.")
                        }
                        return receipt
                    }[0]
                }
            }
        }
    }

    static func compare(
        in store: BenchmarkStore, at port: Int, _ receipt: (_ port: Int) async throws -> String
    ) async throws -> Comparison {
        let body = Data(#"{"receipt-data":"\#(try await receipt(port))"}"#.utf8)
        let load = Load(path: "/verifyReceipt", body: body)
        let answer = try await load.answer(at: port)
        guard answer.range(of: Data(#""status":0"#.utf8)) != nil else {
            throw BenchmarkFailure("The receipt isn't verified: \(String(decoding: answer, as: UTF8.self))")
        }
        return try await load.compare("verifications", each: verificationsEach, in: store, at: port)
    }
}
