// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The protected header of a JWS (RFC 7515, section 4).
///
/// ```
/// { "alg": "ES256", "x5c": [ leaf, intermediate, root ] }
/// ```
struct JWSHeader: Sendable {
    /// The header as it stands in a JWS, in base64url.
    let text: Data
    /// Each as DER.
    let certificates: [[UInt8]]
    /// Whether the text is the one that we write for these certificates.
    let isCanonical: Bool

    static let algorithm = "ES256"
    private static let mostCertificates = 10

    /// Reads a header, in base64url.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` for another algorithm,
    ///   for a header that wants something understood (`crit`), and if there
    ///   are no certificates.
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
            throw AppReceiptError(.malformed, "The header has critical parameters, which nobody knows")
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

    /// The one way in which we write it.
    static func encode(_ certificates: [[UInt8]]) -> [UInt8] {
        JSONValue.object([
            "alg": .string(algorithm),
            "x5c": .array(certificates.map { .string(Base64.standard.encode($0)) }),
        ]).encodedBytes
    }
}
