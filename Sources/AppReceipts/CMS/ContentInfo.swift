// SPDX-License-Identifier: Apache-2.0

/// The outermost layer of a PKCS#7 message.
///
/// ```
/// ContentInfo ::= SEQUENCE {
///     contentType ContentType,
///     content [0] EXPLICIT ANY DEFINED BY contentType }
///
/// ContentType ::= OBJECT IDENTIFIER
/// ```
///
/// - Note: The only content type of a receipt is `id-signedData`.
struct ContentInfo {
    var signedData: SignedData

    init(signedData: SignedData) {
        self.signedData = signedData
    }

    init(reading reader: inout DERReader) throws(AppReceiptError) {
        signedData = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            let type = try reader.objectIdentifier()
            guard type == .signedData else {
                throw AppReceiptError(.malformed, "The content type is \(type), not signed data")
            }
            return try reader.constructed(.context(0), SignedData.init(reading:))
        }
    }

    func write(to writer: inout DERWriter) {
        writer.constructed(.sequence) { writer in
            writer.objectIdentifier(.signedData)
            writer.constructed(.context(0), signedData.write)
        }
    }
}
