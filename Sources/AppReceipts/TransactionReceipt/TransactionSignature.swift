// SPDX-License-Identifier: Apache-2.0

/// The `signature` of a transaction receipt.
///
/// | offset | octets | |
/// |---|---|---|
/// | 0 | 1 | version |
/// | 1 | 128 in version 2, 256 in version 3 | signature |
/// | then | 4 | length of the certificate, big-endian |
/// | then | the rest | certificate, DER |
struct TransactionSignature: Hashable {
    var version: UInt8
    var signature: ArraySlice<UInt8>
    var certificate: ArraySlice<UInt8>

    /// The signed bytes. Both versions sign them with RSASSA-PKCS1-v1_5 and
    /// SHA-1.
    static func signedBytes(version: UInt8, purchaseInfo: [UInt8]) -> [UInt8] {
        [version] + purchaseInfo
    }

    private static func signatureLength(ofVersion version: UInt8) -> Int? {
        switch version {
        case 2: 128
        case 3: 256
        default: nil
        }
    }

    init(version: UInt8, signature: ArraySlice<UInt8>, certificate: ArraySlice<UInt8>) {
        self.version = version
        self.signature = signature
        self.certificate = certificate
    }

    /// - Throws: ``AppReceiptError/Code/malformed`` for another version, or
    ///   if the stated length isn't the certificate's.
    init(parsing bytes: [UInt8]) throws(AppReceiptError) {
        guard let version = bytes.first, let length = Self.signatureLength(ofVersion: version) else {
            throw AppReceiptError(.malformed, "The signature's version is neither 2 nor 3")
        }
        let rest = bytes.dropFirst(1 + length)
        let certificate = rest.dropFirst(4)
        let stated = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count > 4, certificate.count == stated else {
            throw AppReceiptError(.malformed, "The signature's certificate doesn't have the stated length")
        }
        self.init(version: version, signature: bytes[1...length], certificate: certificate)
    }

    var encoded: [UInt8] {
        let length = UInt32(clamping: certificate.count)
        return [version] + signature + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + certificate
    }
}
