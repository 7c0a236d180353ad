// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// What a receipt costs beyond its signature: encoding, hashing, PKCS#7, and
/// how fast BoringSSL signs where OpenSSL is the limit.
///
/// OpenSSL signs twice as fast on processors that have AVX-512 IFMA, which
/// BoringSSL has no code for; the note compares with BoringSSL itself.
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
            noting: SwiftCryptoSpeed.signingRSA())
    }
}
