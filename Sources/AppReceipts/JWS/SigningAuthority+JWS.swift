// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import X509

extension SigningAuthority {
    /// Signs a payload: ES256, with leaf, intermediate and root certificate in
    /// the header.
    ///
    /// - Returns: The JWS in compact serialisation.
    /// - Throws: ``AppReceiptError`` if the payload has no date of signing, a
    ///   field has another type, the date is outside of the certificates'
    ///   validity, or the JWS is too long.
    public func sign(_ payload: some SignedPayload) throws -> String {
        guard let date = payload.dateOfSigning else {
            throw AppReceiptError(.invalidValue, "The payload has no date of signing")
        }
        try type(of: payload).types.check(payload.members)
        let isProduction = payload.statedEnvironment == .production
        let leaf = try leaf(.jws, for: isProduction ? .production : .sandbox)
        try checkValidity(of: leaf, in: jws, at: date)
        var text: [UInt8] = Base64.url.encode(JWSHeader.encode([leaf.der, jws.intermediate.der, jws.root.der]))
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.url.encode(JSONValue.object(payload.members).encodedBytes) as [UInt8])
        guard text.count <= 1 << 19 else {
            throw AppReceiptError(.tooLarge, "A payload of \(text.count) bytes is longer than \(1 << 19)")
        }
        // X509 returns the signature as DER; a JWS has the two numbers
        // without an encoding around them (RFC 7518, section 3.4).
        let der = try leaf.key.sign(bytes: text, signatureAlgorithm: .ecdsaWithSHA256).rawRepresentation
        let numbers = try P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation
        text.append(UInt8(ascii: "."))
        text.append(contentsOf: Base64.url.encode(LowS.normalized([UInt8](numbers))) as [UInt8])
        return String(decoding: text, as: UTF8.self)
    }

    /// A verifier of JWS that trusts this authority and no other. It doesn't
    /// check revocations.
    public var jwsVerifier: JWSVerifier { JWSVerifier(roots: [jwsRootCertificate]) }
}

/// The form of an ECDSA signature that a store writes.
///
/// When (r, s) is a valid ECDSA signature, so is (r, n - s), n being the
/// curve's order: a second text of a JWS could be made without the key. A
/// store writes the smaller s, and the strict profile refuses the other one.
enum LowS {
    /// The order of P-256, big-endian (SEC 2, section 2.4.2).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// Half of the order, rounded down: the largest s that a store writes.
    private static let half: [UInt8] = [
        0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xDE, 0x73, 0x7D, 0x56, 0xD3, 0x8B, 0xCF, 0x42, 0x79, 0xDC, 0xE5, 0x61, 0x7E, 0x31, 0x92, 0xA8,
    ]

    static func isNormalized(_ signature: [UInt8]) -> Bool {
        !half.lexicographicallyPrecedes(signature[32...])
    }

    static func normalized(_ signature: [UInt8]) -> [UInt8] {
        isNormalized(signature) ? signature : signature[..<32] + subtracting(Array(signature[32...]))
    }

    /// The order minus a number below it.
    private static func subtracting(_ number: [UInt8]) -> [UInt8] {
        var difference = order
        var borrow = 0
        for index in difference.indices.reversed() {
            let digit = Int(order[index]) - Int(number[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            difference[index] = UInt8(truncatingIfNeeded: digit)
        }
        return difference
    }
}
