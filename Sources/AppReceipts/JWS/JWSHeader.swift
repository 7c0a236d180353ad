// SPDX-License-Identifier: Apache-2.0

/// The protected header of a JWS (RFC 7515, section 4).
///
/// ```
/// { "alg": "ES256", "x5c": [ leaf, intermediate, root ] }
/// ```
struct JWSHeader: Hashable, Sendable {
    /// Each as DER.
    var certificates: [[UInt8]]

    static let algorithm = "ES256"
    private static let mostCertificates = 10

    init(certificates: [[UInt8]]) {
        self.certificates = certificates
    }

    /// - Throws: ``AppReceiptError/Code/malformed`` for another algorithm,
    ///   for a header that wants something understood (`crit`), and if there
    ///   are no certificates.
    init(parsing json: [UInt8]) throws(AppReceiptError) {
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
        certificates = []
        for text in texts {
            guard let certificate = Base64.standard.decode(text.utf8) else {
                throw AppReceiptError(.malformed, "A certificate in the header is not base64")
            }
            certificates.append(certificate)
        }
    }

    /// The one way in which we write it.
    var encoded: [UInt8] {
        JSONValue.object([
            "alg": .string(Self.algorithm),
            "x5c": .array(certificates.map { .string(Base64.standard.encode($0)) }),
        ]).encodedBytes
    }
}
