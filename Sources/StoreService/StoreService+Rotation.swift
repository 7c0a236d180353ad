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
    /// Nodes of one store make them once: a node uses those that another has
    /// made at the same time.
    ///
    /// - Throws: `AppReceiptError`, an error of the database or of the
    ///   cryptographic library.
    package func rotateIfDue() async throws {
        guard try environment == .production || authority.signsForProduction else { return }
        var random = context.random.drawing
        let isRenewed = try await authority.rotateLeavesIfDue(
            now: now.date, publicAddress: publicURL, using: &random)
        guard isRenewed else { return }
        let numbers = try authority.leafSerialNumbers(of: .production)
        logger.notice(
            "renewed the signing certificates",
            metadata: ["receipts": "\(numbers.receipts)", "jws": "\(numbers.jws)"])
    }

    /// Reads the signing certificates, the revocations and the shared secrets
    /// again if another node, or a command, has changed them.
    func refreshAuthority() async {
        do {
            try await authority.refresh(now: now.date)
            try await secrets?.refresh()
        } catch {
            _ = failure(of: error, at: "reading the authority")
        }
    }
}
