// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The protected header of a JWS (RFC 7515, section 4).
///
/// ```
/// { "alg": "ES256", "x5c": [ leaf, intermediate, root ] }
/// ```
struct JWSHeader: Sendable {
    /// The header as in the JWS, in base64url.
    let text: Data
    /// The certificates, each as DER.
    let certificates: [[UInt8]]
    /// Whether the text is the one that ``encode(_:)`` writes for these
    /// certificates.
    let isCanonical: Bool

    static let algorithm = "ES256"
    private static let mostCertificates = 10

    /// Reads a header, in base64url.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if the text isn't a JSON
    ///   object in base64url, the algorithm isn't ES256, there are critical
    ///   parameters (`crit`), or `x5c` isn't a list of 1 to 10 certificates
    ///   in base64.
    init(parsing text: Data) throws(AppReceiptError) {
        guard let json = Base64.url.decode(text) else {
            throw AppReceiptError(.malformed, "The header is not base64url")
        }
        guard case .object(let members) = try JSONValue(parsing: json) else {
            throw AppReceiptError(.malformed, "The header is not a JSON object")
        }
        guard members["alg"] == .string(Self.algorithm) else {
            throw AppReceiptError(.malformed, "The algorithm is not \(Self.algorithm)")
        }
        guard members["crit"] == nil else {
            throw AppReceiptError(.malformed, "The header has critical parameters, and this verifier knows none")
        }
        guard let texts = members["x5c"].flatMap([String].init(json:)), !texts.isEmpty,
            texts.count <= Self.mostCertificates
        else {
            throw AppReceiptError(.malformed, "The header's x5c is not a list of certificates")
        }
        var certificates: [[UInt8]] = []
        for text in texts {
            guard let certificate = Base64.standard.decode(text.utf8) else {
                throw AppReceiptError(.malformed, "A certificate in the header is not base64")
            }
            certificates.append(certificate)
        }
        self.text = text
        self.certificates = certificates
        isCanonical = Self.encode(certificates) == json
    }

    /// The header as JSON, in the only form that a store writes.
    static func encode(_ certificates: [[UInt8]]) -> [UInt8] {
        JSONValue.object([
            "alg": .string(algorithm),
            "x5c": .array(certificates.map { .string(Base64.standard.encode($0)) }),
        ]).encodedBytes
    }
}
