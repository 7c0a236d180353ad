// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The cost of a receipt in addition to its signature's: encoding, hashing,
/// PKCS#7, and the difference between BoringSSL, which signs, and OpenSSL,
/// which is the limit.
///
/// OpenSSL signs twice as fast on processors with AVX-512 IFMA, for which
/// BoringSSL has no code. The note compares with BoringSSL itself.
struct ReceiptsRow: Row {
    static let name = "receipts"
    static let summary = "receipts with one purchase, made and signed on one thread, against `openssl speed rsa2048`"

    private static let receipts = 1500

    static func compare() async throws -> Comparison {
        let authority = try BenchmarkStore.authority.get()
        let purchase = OnePurchase(bundleIdentifier: BenchmarkStore.app)
        let verdict = try authority.verifier.verify(authority.sign(purchase.receipt()), expecting: .init())
        guard case .verified = verdict else {
            throw BenchmarkFailure("A receipt isn't verified: \(verdict)")
        }
        return try await Comparison(
            Side("receipts", operations: receipts) {
                for _ in 0..<receipts { _ = try authority.sign(purchase.receipt()) }
            },
            against: Side("signatures") { try await OpenSSLSpeed.rates(of: .rsa2048).signatures },
            beside: [("swift-crypto's own", SwiftCryptoSpeed.signingRSA())])
    }
}
