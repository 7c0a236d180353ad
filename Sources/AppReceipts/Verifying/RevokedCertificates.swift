// SPDX-License-Identifier: Apache-2.0

import X509

/// Certificates that a verifier must not trust any more.
public struct RevokedCertificates: Sendable, Hashable {
    /// The certificates' serial numbers. They are random, so that no two
    /// certificates of OpenStoreKit's authorities share one.
    public var serialNumbers: Set<SerialNumber>

    /// Certificates with these serial numbers.
    public init(_ serialNumbers: some Sequence<SerialNumber> = []) {
        self.serialNumbers = Set(serialNumbers)
    }

    /// No certificate is revoked, or revocations are not checked.
    public static let none = RevokedCertificates()

    func refusals(of certificates: [Certificate]) -> [AppReceiptVerifier.Refusal] {
        certificates.filter { serialNumbers.contains(SerialNumber($0.serialNumber)) }.map { certificate in
            .init(.revoked, "The certificate \(certificate.subject) was revoked")
        }
    }
}
