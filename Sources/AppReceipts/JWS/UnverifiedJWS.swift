// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signed payload in compact form, parsed and not verified.
///
/// Do not trust these values. Use them for display only, and a
/// ``JWSVerifier`` for any other purpose.
public struct UnverifiedJWS<Payload: SignedPayload>: Sendable {
    /// The text that was parsed.
    public let text: String
    /// The payload.
    public let payload: Payload
    let header: JWSHeader
    /// The signed text: header, period and payload.
    let signedText: ArraySlice<UInt8>
    /// The signature: two numbers of 32 bytes each.
    let signature: [UInt8]

    /// The certificates in the header, each as DER, in its order.
    public var certificates: [Data] { header.certificates.map { Data($0) } }

    /// The default of the longest text that is read, in bytes.
    public static var defaultMaximumLength: Int { 1 << 20 }

    /// Parses a JWS in compact serialisation (RFC 7515, section 7.1),
    /// including those of Apple and Xcode.
    ///
    /// - Parameters:
    ///   - text: Header, payload and signature, each in base64url, separated
    ///     by periods.
    ///   - maximumLength: The longest text to read, in bytes.
    /// - Throws: ``AppReceiptError`` if the text is too long, or isn't such a
    ///   JWS.
    public init(parsing text: String, maximumLength: Int = defaultMaximumLength) throws(AppReceiptError) {
        try self.init(parsing: text, maximumLength: maximumLength) { _ in nil }
    }

    // The certificates are most of a JWS, and those of a store are always the
    // same: `known` returns the header for a text that was read before.
    init(
        parsing text: String, maximumLength: Int, knowing known: (Data) -> JWSHeader?
    ) throws(AppReceiptError) {
        guard text.utf8.count <= maximumLength else {
            throw AppReceiptError(.tooLarge, "\(text.utf8.count) bytes are more than \(maximumLength)")
        }
        let bytes = Array(text.utf8)
        // Searched from the end, because the first part is by far the
        // longest. A header with another period isn't base64url.
        let point = UInt8(ascii: ".")
        guard let second = bytes.lastIndex(of: point), let first = bytes[..<second].lastIndex(of: point) else {
            throw AppReceiptError(.malformed, "Not three parts with points between them")
        }
        guard let payload = Base64.url.decode(bytes[(first + 1)..<second]),
            let signature = Base64.url.decode(bytes[(second + 1)...])
        else {
            throw AppReceiptError(.malformed, "A part is not base64url")
        }
        guard signature.count == 64 else {
            throw AppReceiptError(.malformed, "The signature has \(signature.count) bytes, not 64")
        }
        let headerText = Data(bytes[..<first])
        self.text = text
        if let header = known(headerText) { self.header = header } else { header = try JWSHeader(parsing: headerText) }
        self.payload = try Payload(parsing: payload)
        self.signedText = bytes[..<second]
        self.signature = signature
    }
}

/// A signed payload that a trusted store signed. Only a ``JWSVerifier``
/// creates one, so that a function with this parameter can rely on it.
public struct VerifiedJWS<Payload: SignedPayload>: Sendable {
    /// The payload.
    public let payload: Payload

    init(verified payload: Payload) {
        self.payload = payload
    }
}
