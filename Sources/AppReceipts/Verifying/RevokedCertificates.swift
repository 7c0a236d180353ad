// SPDX-License-Identifier: Apache-2.0

import X509

/// Certificates that aren't to be trusted any more, for a verifier.
public struct RevokedCertificates: Sendable, Hashable {
    /// The certificates' serial numbers, which no two certificates of our
    /// authorities share.
    public var serialNumbers: Set<SerialNumber>

    /// Certificates with these serial numbers.
    public init(_ serialNumbers: some Sequence<SerialNumber> = []) {
        self.serialNumbers = Set(serialNumbers)
    }

    /// No certificate is revoked, or nobody said.
    public static let none = RevokedCertificates()

    func refusals(of certificates: [Certificate]) -> [AppReceiptVerifier.Refusal] {
        certificates.filter { serialNumbers.contains(SerialNumber($0.serialNumber)) }.map { certificate in
            .init(.revoked, "The certificate \(certificate.subject) was revoked")
        }
    }
}
