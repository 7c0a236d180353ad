// SPDX-License-Identifier: Apache-2.0

import Foundation
import X509

/// The certificates of a chain, and when all of them are valid.
///
/// X509 computes a certificate's dates from their texts each time that it is
/// asked, and a verifier asks for every receipt.
struct DatedCertificates: Sendable {
    private let certificates: [Certificate]
    private let validity: ClosedRange<Date>?

    init(_ certificates: [Certificate]) {
        self.certificates = certificates
        let first = certificates.map(\.notValidBefore).max() ?? .distantPast
        let last = certificates.map(\.notValidAfter).min() ?? .distantFuture
        validity = first <= last ? first...last : nil
    }

    func refusals(at date: Date) -> [AppReceiptVerifier.Refusal] {
        validity?.contains(date) == true ? [] : certificates.refusals(at: date)
    }
}
