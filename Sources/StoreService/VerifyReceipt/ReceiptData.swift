// SPDX-License-Identifier: Apache-2.0

import AppReceipts
package import Foundation

/// The `receipt-data` of a request to `/verifyReceipt`, with the rules that
/// Apple's service was observed to have.
package enum ReceiptData {
    /// Decodes a receipt: the alphabet of RFC 4648, section 4, with its padding
    /// and without white space. The unused bits of the last character may have
    /// any value, and bytes behind an app receipt are ignored, so that the
    /// verifier gets the receipt alone.
    ///
    /// - Throws: ``VerifyReceiptRefusal`` with the status `malformed`.
    package static func receipt(in text: String) throws -> Data {
        guard let bytes = Base64.standard.decode(text.utf8, ignoringUnusedBits: true), !bytes.isEmpty else {
            throw VerifyReceiptRefusal(
                status: .malformed,
                reasons: ["The receipt-data isn't base64 with padding and without white space."])
        }
        let receipt = Data(bytes)
        return receipt.isTransactionReceipt ? receipt : receipt.firstElement
    }
}

extension Data {
    /// Whether a receipt is a transaction receipt: a property list, which
    /// begins with `{`.
    var isTransactionReceipt: Bool {
        first { ![0x20, 0x09, 0x0D, 0x0A].contains($0) } == UInt8(ascii: "{")
    }
}
