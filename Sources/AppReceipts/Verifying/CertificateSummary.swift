// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

/// The main fields of a certificate, for display.
public struct CertificateSummary: Sendable, Hashable {
    /// The subject's distinguished name.
    public let subject: String
    /// The issuer's distinguished name.
    public let issuer: String
    /// The serial number in hexadecimal digits.
    public let serialNumber: String
    /// The first moment at which the certificate is valid.
    public let notValidBefore: Date
    /// The last moment at which the certificate is valid.
    public let notValidAfter: Date

    /// Reads a certificate.
    ///
    /// - Throws: ``AppReceiptError/Code/unreadableCertificate``.
    public init(der: Data) throws(AppReceiptError) {
        let certificate: Certificate
        do {
            certificate = try Certificate(untrusted: [UInt8](der)[...])
        } catch {
            throw AppReceiptError(.unreadableCertificate, "Not a certificate in DER: \(error)")
        }
        subject = certificate.subject.description
        issuer = certificate.issuer.description
        serialNumber = certificate.serialNumber.bytes.hexadecimalDigits
        notValidBefore = certificate.notValidBefore
        notValidAfter = certificate.notValidAfter
    }
}
