// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Logging
import StoreDomain

extension StoreService {
    /// Gives production new certificates to sign with when it has none, or
    /// when they have signed for long enough. A sandbox alone has nothing to
    /// renew: its certificates are valid for a century.
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
