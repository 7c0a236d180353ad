// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A JWS of the store: header, payload and signature, each in base64url, with
/// periods between them.
struct SignedText: Sendable, Hashable {
    let text: String

    /// The bytes of a part; empty for a part that isn't base64url.
    private func part(_ index: Int) -> Data {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.indices.contains(index) else { return Data() }
        let standard = parts[index].replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)) ?? Data()
    }

    var header: Data { part(0) }
    var payload: Data { part(1) }
    var signature: Data { part(2) }

    /// The bytes that are signed.
    var signed: Data {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return Data(parts.prefix(2).joined(separator: ".").utf8)
    }

    /// The signature as two numbers; a signature of zeros for a part that isn't
    /// one.
    var ecdsaSignature: P256.Signing.ECDSASignature {
        if let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) { return signature }
        guard let none = try? P256.Signing.ECDSASignature(rawRepresentation: Data(count: 64)) else {
            preconditionFailure("64 bytes are a signature of P-256")
        }
        return none
    }
}
