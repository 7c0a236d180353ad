// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation
import Synchronization

/// Verifies signed values for some root certificates, and knows those that it
/// has verified: reading a value again verifies no signature again.
///
/// A value is known by the digest of its whole text. The digests are in memory
/// only, because a file with verdicts would be another one to protect.
final class CachingVerifier: Sendable {
    /// The largest number of digests, of 32 bytes each.
    private static let limit = 20_000

    private let verifier: JWSVerifier
    private let known = Mutex<Set<SHA256Digest>>([])

    init(roots: [Data]) {
        verifier = JWSVerifier(roots: roots)
    }

    /// Reads and verifies a value of an app, in an environment or in any.
    ///
    /// - Returns: the payload, and the reasons not to trust it.
    /// - Throws: ``AppReceiptError`` if the text isn't a JWS with such a
    ///   payload.
    func verify<Payload: SignedPayload>(
        _ signed: String, of bundleIdentifier: String, in environment: PayloadEnvironment? = nil
    ) throws(AppReceiptError) -> (Payload, [JWSVerifier.Refusal]) {
        let jws: UnverifiedJWS<Payload> = try verifier.parse(signed)
        let expectation = JWSVerifier.Expectation(bundleIdentifier: bundleIdentifier, environment: environment)
        let digest = Self.digest(of: signed, as: Payload.self, expectation)
        if known.withLock({ $0.contains(digest) }) { return (jws.payload, []) }
        if case .refused(let refusals) = verifier.verify(jws, expecting: expectation) { return (jws.payload, refusals) }
        known.withLock { known in
            if known.count >= Self.limit { known = [] }
            known.insert(digest)
        }
        return (jws.payload, [])
    }

    /// Reads a value without verifying it.
    ///
    /// - Throws: ``AppReceiptError`` if the text isn't a JWS with such a
    ///   payload.
    func payload<Payload: SignedPayload>(_ signed: String) throws(AppReceiptError) -> Payload {
        let jws: UnverifiedJWS<Payload> = try verifier.parse(signed)
        return jws.payload
    }

    /// The digest of all that a verdict depends on, besides the root
    /// certificates.
    private static func digest<Payload>(
        of text: String, as type: Payload.Type, _ expectation: JWSVerifier.Expectation
    ) -> SHA256Digest {
        var text = text
        var hash = SHA256()
        let (app, environment) = (expectation.bundleIdentifier ?? "", expectation.environment?.rawValue ?? "")
        hash.update(data: Data("\(type) \(app) \(environment) ".utf8))
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hash.finalize()
    }
}
