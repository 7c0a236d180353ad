// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

extension DERReader {
    /// An object identifier.
    mutating func objectIdentifier() throws(AppReceiptError) -> ASN1ObjectIdentifier {
        let contents = try primitive(.objectIdentifier)
        for known in Self.known where contents.elementsEqual(known.contents) { return known.identifier }
        do {
            return try ASN1ObjectIdentifier(
                derEncoded: Array(DERWriter.bytes { $0.primitive(.objectIdentifier, contents) }))
        } catch {
            throw malformed("not an object identifier")
        }
    }

    /// The object identifiers that occur in every receipt of a store. Finding
    /// one here takes a hundredth of the time that decoding its octets takes.
    private static let known: [(contents: ArraySlice<UInt8>, identifier: ASN1ObjectIdentifier)] =
        [ASN1ObjectIdentifier.signedData, .data, .sha256, .rsa].map { ($0.contents, $0) }
}

extension DERWriter {
    mutating func objectIdentifier(_ identifier: ASN1ObjectIdentifier) {
        primitive(.objectIdentifier, identifier.contents)
    }
}

extension ASN1ObjectIdentifier {
    /// The octets without tag and length.
    fileprivate var contents: ArraySlice<UInt8> {
        do {
            var coder = DER.Serializer()
            try coder.serialize(self)
            var reader = DERReader(coder.serializedBytes[...])
            return try reader.primitive(.objectIdentifier)
        } catch {
            preconditionFailure("An object identifier can always be written: \(error)")
        }
    }
}
