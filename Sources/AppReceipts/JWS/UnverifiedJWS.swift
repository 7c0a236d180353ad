// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signed payload in compact form: parsed, and not verified.
///
/// Nothing in here is to be believed. Show it to somebody who wants to know
/// what it says; for anything else use a ``JWSVerifier``.
public struct UnverifiedJWS<Payload: SignedPayload>: Sendable {
    /// The text that was parsed.
    public let text: String
    /// What it says.
    public let payload: Payload
    let header: JWSHeader
    /// What the signature is over: header, point, payload, all as text.
    let signedText: ArraySlice<UInt8>
    /// Two numbers of 32 bytes.
    let signature: [UInt8]

    /// The certificates in the header, each as DER, in its order.
    public var certificates: [Data] { header.certificates.map { Data($0) } }

    /// The longest text that is read unless told otherwise, in bytes.
    public static var defaultMaximumLength: Int { 1 << 20 }

    /// Parses a JWS in compact serialisation (RFC 7515, section 7.1), also one
    /// by Apple or by Xcode.
    ///
    /// - Parameters:
    ///   - text: Header, payload and signature, each in base64url, with points
    ///     between them.
    ///   - maximumLength: The longest text to read, in bytes.
    /// - Throws: ``AppReceiptError`` if the text is too long, or no such JWS.
    public init(parsing text: String, maximumLength: Int = defaultMaximumLength) throws(AppReceiptError) {
        try self.init(parsing: text, maximumLength: maximumLength) { _ in nil }
    }

    // Nearly all of a JWS are its certificates, and a store's are always the
    // same: `known` gives the header of a text that was read before.
    init(
        parsing text: String, maximumLength: Int, knowing known: (Data) -> JWSHeader?
    ) throws(AppReceiptError) {
        guard text.utf8.count <= maximumLength else {
            throw AppReceiptError(.tooLarge, "\(text.utf8.count) bytes are more than \(maximumLength)")
        }
        let bytes = Array(text.utf8)
        // From the end, because the first part is by far the longest. Were
        // there another point in it, it wouldn't be base64url.
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

/// A signed payload that a trusted store signed. Only a ``JWSVerifier`` makes
/// one, so a function that takes one can rely on it.
public struct VerifiedJWS<Payload: SignedPayload>: Sendable {
    /// What the store says.
    public let payload: Payload

    init(verified payload: Payload) {
        self.payload = payload
    }
}
