// SPDX-License-Identifier: Apache-2.0

/// The signed content of a message.
///
/// ```
/// EncapsulatedContentInfo ::= SEQUENCE {
///     eContentType ContentType,
///     eContent [0] EXPLICIT OCTET STRING OPTIONAL }
/// ```
///
/// - Note: The content type is `id-data`. The content is required: a receipt
///   with a detached signature is malformed.
struct EncapsulatedContentInfo {
    var content: ArraySlice<UInt8>

    init(content: ArraySlice<UInt8>) {
        self.content = content
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        content = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            let type = try reader.objectIdentifier()
            guard type == .data else {
                throw AppReceiptError(.malformed, "The signed content's type is \(type), not data")
            }
            return try reader.constructed(.context(0)) { reader throws(AppReceiptError) in
                try reader.octets(.octetString)
            }
        }
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.objectIdentifier(.data)
            writer.constructed(.context(0)) { $0.primitive(.octetString, content) }
        }
    }
}
