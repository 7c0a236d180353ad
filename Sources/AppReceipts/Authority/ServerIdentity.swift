// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SwiftASN1
import X509

/// A certificate for a server with a few names, under a root that can issue
/// certificates for these names only (``NamedRoot``).
///
/// Neither is related to a ``SigningAuthority``. The root's key is gone when the
/// initializer returns.
package struct ServerIdentity: Sendable {
    /// The root certificate, PEM.
    package let rootCertificatePEM: String
    /// The server's certificate, PEM.
    package let certificatePEM: String
    /// The key of the server's certificate, PEM.
    package let privateKeyPEM: String

    /// Makes both certificates, valid from a day before `now` for 397 days.
    ///
    /// - Throws: An error of the cryptographic library.
    package init(names: [String], now: Date, using random: inout some RandomNumberGenerator) throws {
        let root = try NamedRoot(names: names, now: now, using: &random)
        let server = try root.issue(for: names.map { .dnsName($0) }, using: &random)
        rootCertificatePEM = try root.certificate.serializeAsPEM().pemString + "\n"
        certificatePEM = try server.certificate.serializeAsPEM().pemString + "\n"
        privateKeyPEM = try server.key.serializeAsPEM().pemString + "\n"
    }
}
