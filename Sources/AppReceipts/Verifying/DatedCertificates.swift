// SPDX-License-Identifier: Apache-2.0

import Foundation
import X509

/// The certificates of a chain, and the time in which all of them are valid.
///
/// X509 parses a certificate's dates at each access, and a verifier needs
/// them for every receipt.
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
