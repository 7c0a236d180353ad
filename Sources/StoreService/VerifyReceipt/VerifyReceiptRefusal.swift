// SPDX-License-Identifier: Apache-2.0

/// A status other than zero, for a receipt that the store doesn't accept.
package struct VerifyReceiptRefusal: Error {
    package var status: VerifyReceiptStatus
    /// For the log: printable ASCII characters, because a receipt may contain
    /// any text.
    package private(set) var reason: String

    package init(status: VerifyReceiptStatus, reasons: [some Any]) {
        self.status = status
        let text = reasons.map { "\($0)" }.joined(separator: "; ")
        reason = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(300)))
    }

    /// Verifies a receipt.
    ///
    /// - Throws: ``VerifyReceiptRefusal`` with the status `malformed` and the
    ///   verifier's reason.
    static func ofMalformed<Verdict>(_ verify: () throws -> Verdict) throws -> Verdict {
        do {
            return try verify()
        } catch {
            throw VerifyReceiptRefusal(status: .malformed, reasons: [error])
        }
    }
}
