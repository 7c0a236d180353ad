// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Logging
import StoreDomain

extension StoreService {
    /// Makes new certificates for production when it has none, or when the
    /// current ones have signed for
    /// ``SigningAuthority/productionLeafLifetime``. A store with a sandbox
    /// only has no certificates to renew: its own are valid for a century.
    ///
    /// - Throws: `AppReceiptError`, or an error of the cryptographic library.
    package func rotateIfDue() throws {
        guard try environment == .production || authority.signsForProduction else { return }
        let date = now.date
        guard try authority.needsRotation(at: date) else { return }
        var random = context.random.drawing
        try authority.rotateLeaves(of: .production, now: date, publicAddress: publicURL, using: &random)
        let numbers = try authority.leafSerialNumbers(of: .production)
        logger.notice(
            "renewed the signing certificates",
            metadata: ["receipts": "\(numbers.receipts)", "jws": "\(numbers.jws)"])
    }
}
