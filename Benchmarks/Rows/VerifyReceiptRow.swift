// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The cost of verifying in addition to an HTTP server's: both sides receive
/// the same requests from the same client, and answer with the same number of
/// bytes.
struct VerifyReceiptRow: Row {
    static let name = "verifyReceipt"
    static let summary =
        "/verifyReceipt for a receipt with one purchase, 32 connections, against a static answer of Hummingbird "
        + "of the same size"

    private static let connections = 32
    private static let verificationsEach = 250
    private static let staticAnswersEach = 1000

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in try await compare(BenchmarkStore(in: folder)) }
    }

    private static func compare(_ store: BenchmarkStore) async throws -> Comparison {
        let receipt = try BenchmarkStore.authority.get()
            .sign(OnePurchase(bundleIdentifier: BenchmarkStore.app).receipt())
        let body = Data(#"{"receipt-data":"\#(receipt.base64EncodedString())"}"#.utf8)
        return try await withServer(store.server) { port in
            let answer = try await onThreads(1) { _ in
                let connection = try HTTPConnection(port: port)
                return try connection.post("/verifyReceipt", body: body).body
            }[0]
            guard answer.range(of: Data(#""status":0"#.utf8)) != nil else {
                throw BenchmarkFailure("The receipt isn't verified: \(String(decoding: answer, as: UTF8.self))")
            }
            return try await withServer(StaticServer(answer: answer).server) { staticPort in
                try await Comparison(
                    side("verifications", verificationsEach, port, "/verifyReceipt", body, answer.count),
                    against: side("answers", staticAnswersEach, staticPort, StaticServer.path, body, answer.count))
            }
        }
    }

    private static func side(
        _ unit: String, _ each: Int, _ port: Int, _ path: String, _ body: Data, _ length: Int
    ) -> Side {
        Side(unit, operations: connections * each) {
            try await onThreads(connections) { _ in
                let connection = try HTTPConnection(port: port)
                for _ in 0..<each {
                    // The dates in an answer change, its length doesn't.
                    guard try connection.post(path, body: body).body.count == length else {
                        throw BenchmarkFailure("An answer of \(path) has another length than the first one.")
                    }
                }
            }
        }
    }
}
