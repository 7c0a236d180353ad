// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Synchronization

/// The verifier of the store's own receipts, kept until another certificate is
/// revoked, because it remembers the certificates that it has judged.
final class RememberedVerifier: Sendable {
    private let known = Mutex<(revoked: RevokedCertificates, verifier: AppReceiptVerifier)?>(nil)

    /// - Throws: `AppReceiptError` if the authority's directory can't be read
    ///   any more.
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
