// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

/// The cost of a signed transaction in addition to its signature's, when the
/// verifier has verified the certificates before.
struct SignedPayloadRow: Row {
    static let name = "jws-verify"
    static let summary =
        "signed transactions, parsed and verified on one thread by a verifier that knows their certificates, against "
        + "verifications of `openssl speed ecdsap256`"

    static func compare() async throws -> Comparison {
        let verifier = try BenchmarkStore.authority.get().jwsVerifier
        return try await SignedPayloads.compare(times: 3000) { verifier }
    }
}

/// The same with a new verifier each time, which verifies the certificates.
struct SignedPayloadColdRow: Row {
    static let name = "jws-verify-cold"
    static let summary =
        "signed transactions with certificates that the verifier hasn't seen, against verifications of "
        + "`openssl speed ecdsap256`"

    static func compare() async throws -> Comparison {
        let root = try BenchmarkStore.authority.get().jwsRootCertificate
        return try await SignedPayloads.compare(times: 500) { JWSVerifier(roots: [root]) }
    }
}

private enum SignedPayloads {
    static func compare(times: Int, by verifier: @escaping () -> JWSVerifier) async throws -> Comparison {
        var payload = TransactionPayload()
        payload.transactionId = "2000000001"
        payload.originalTransactionId = "2000000001"
        payload.bundleId = BenchmarkStore.app
        payload.productId = BenchmarkStore.product
        payload.purchaseDate = Date()
        payload.signedDate = Date()
        payload.quantity = 1
        payload.type = "Consumable"
        payload.environment = .sandbox
        let text = try BenchmarkStore.authority.get().sign(payload)
        return try await Comparison(
            Side("payloads", operations: times) {
                for _ in 0..<times {
                    let verdict = try verifier().verify(
                        text, as: TransactionPayload.self, expecting: .init(bundleIdentifier: BenchmarkStore.app))
                    guard case .verified = verdict else {
                        throw BenchmarkFailure("A signed transaction isn't verified: \(verdict)")
                    }
                }
            },
            against: Side("verifications") { try await OpenSSLSpeed.rates(of: .ecdsap256).verifications },
            beside: [("swift-crypto's own", SwiftCryptoSpeed.verifyingP256())])
    }
}
