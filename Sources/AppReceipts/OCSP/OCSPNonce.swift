// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// Octets that bind a response to its request (RFC 9654, section 2.1).
///
/// ```
/// Nonce ::= OCTET STRING (SIZE (1..128))
/// ```
struct OCSPNonce: Hashable {
    var octets: ArraySlice<UInt8>

    /// Finds the nonce in a request's extensions, which are one node inside
    /// of their tag.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if the extensions are not
    ///   one list, or the nonce has a forbidden length.
    init?(inExtensions nodes: [ASN1Node]) throws {
        guard let list = nodes.first, nodes.count == 1 else {
            throw AppReceiptError(.malformed, "The extensions are not one list")
        }
        for node in try list.children(.sequence) {
            let value = try DER.sequence(node, identifier: .sequence) { nodes -> ArraySlice<UInt8>? in
                let name = try ASN1ObjectIdentifier(derEncoded: &nodes)
                var value = try nodes.required("an extension's value")
                if value.identifier == .boolean { value = try nodes.required("an extension's value") }
                let octets = try ASN1OctetString(derEncoded: value).bytes
                return name == .ocspNonce ? octets : nil
            }
            guard let value else { continue }
            octets = try ASN1OctetString(derEncoded: Array(value)).bytes
            guard 1...128 ~= octets.count else {
                throw AppReceiptError(.malformed, "A nonce of \(octets.count) octets")
            }
            return
        }
        return nil
    }

    /// Appends the extension with the nonce.
    func appendExtension(to coder: inout DER.Serializer) throws {
        var value = DER.Serializer()
        value.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: octets) }
        try coder.appendExtension(.ocspNonce, value: value.serializedBytes)
    }
}

extension DER.Serializer {
    /// Appends an extension that isn't critical.
    ///
    /// ```
    /// Extension ::= SEQUENCE {
    ///     extnID    OBJECT IDENTIFIER,
    ///     critical  BOOLEAN DEFAULT FALSE,
    ///     extnValue OCTET STRING }
    /// ```
    mutating func appendExtension(_ identifier: ASN1ObjectIdentifier, value: [UInt8]) throws {
        try appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            coder.appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: value) }
        }
    }
}
