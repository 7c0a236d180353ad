// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Synchronization

/// Caches the verifier of the store's own receipts, which caches the
/// certificates that it has checked. A new one is made when a certificate is
/// revoked.
final class RememberedVerifier: Sendable {
    private let known = Mutex<(revoked: RevokedCertificates, verifier: AppReceiptVerifier)?>(nil)

    /// Returns the verifier for the certificates that are revoked now.
    ///
    /// - Throws: `AppReceiptError` when the authority's storage can't be
    ///   read.
    func current(_ authority: SigningAuthority) throws -> AppReceiptVerifier {
        let revoked = try authority.revokedCertificates
        return known.withLock { known in
            if let known, known.revoked == revoked { return known.verifier }
            let verifier = AppReceiptVerifier(roots: [authority.rootCertificate], revoked: revoked)
            known = (revoked, verifier)
            return verifier
        }
    }
}
