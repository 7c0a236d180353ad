// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreDomain

extension StoreService {
    /// Makes new certificates, which sign from now on. The old ones' signatures
    /// stay valid.
    ///
    /// - Throws: `AppReceiptError`, an error of the database or of the
    ///   cryptographic library.
    func rotateCertificates() async throws -> Control.RotateCertificatesAnswer {
        try await authority.refresh(now: now.date)
        var random = context.random.drawing
        try authority.rotateLeaves(of: .sandbox, now: now.date, publicAddress: publicURL, using: &random)
        let numbers = try authority.leafSerialNumbers(of: .sandbox)
        logger.notice(
            "new signing certificates", metadata: ["receipts": "\(numbers.receipts)", "jws": "\(numbers.jws)"])
        return Control.RotateCertificatesAnswer(receipts: "\(numbers.receipts)", jws: "\(numbers.jws)")
    }
}
