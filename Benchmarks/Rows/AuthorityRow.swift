// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreMeasurement

/// The cost of a receipt with the authority as `serve` has it: from the
/// store's folder, whose changes it finds at each use, and with certificates
/// that name the store's address.
struct AuthorityRow: Row {
    static let name = "authority"
    static let summary =
        "receipts with one purchase, signed on one thread by the authority in a store's folder, as `serve` has it, "
        + "against `openssl speed rsa2048`"

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            var generator = SystemRandomNumberGenerator()
            let authority = try SigningAuthority.loadOrCreate(
                directory: folder.appending(path: "authority", directoryHint: .isDirectory),
                profile: .sandbox(publicAddress: BenchmarkStore.publicURL), using: &generator)
            return try await ServedAuthority.compare(authority)
        }
    }
}

enum ServedAuthority {
    private static let receipts = 1000

    /// Signs as the store does: it first looks for the changes of other nodes
    /// if it hasn't lately. The store is the one whose database has the
    /// authority; `nil` for an authority in a folder, which uses no database.
    static func compare(_ authority: SigningAuthority, in store: BenchmarkStore? = nil) async throws -> Comparison {
        let purchase = OnePurchase(bundleIdentifier: BenchmarkStore.app)
        let verdict = try authority.verifier.verify(authority.sign(purchase.receipt()), expecting: .init())
        guard case .verified = verdict else { throw BenchmarkFailure("A receipt isn't verified: \(verdict)") }
        var signatures = 0
        var side = Side("receipts", operations: receipts) {
            for _ in 0..<receipts {
                try await authority.refreshIfStale(now: Date())
                _ = try authority.sign(purchase.receipt())
                signatures += 1
            }
        }
        // The store's own counter has no signatures that the row makes itself.
        side.spending = { Spending(database: store?.spent.database ?? .init(), signatures: signatures) }
        return try await Comparison(
            side,
            against: Side("signatures") { try await OpenSSLSpeed.rates(of: .rsa2048).signatures },
            beside: [("swift-crypto's own", SwiftCryptoSpeed.signingRSA())])
    }
}
