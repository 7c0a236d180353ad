// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

extension AppReceiptVerifier.Verdict {
    var refusalCodes: Set<AppReceiptVerifier.Refusal.Code> {
        switch self {
        case .verified: []
        case .refused(let refusals): Set(refusals.map(\.code))
        }
    }

    var verifiedContents: AppReceipt? {
        switch self {
        case .verified(let receipt): receipt.contents
        case .refused: nil
        }
    }
}

extension AppReceiptVerifier {
    /// Whether the bytes are a receipt that the verifier trusts.
    func accepts(_ der: Data) -> Bool {
        guard let verdict = try? verify(der, expecting: .any) else { return false }
        return verdict.verifiedContents != nil
    }
}

extension JWSVerifier.Verdict {
    var refusalCodes: Set<AppReceiptVerifier.Refusal.Code> {
        switch self {
        case .verified: []
        case .refused(let refusals): Set(refusals.map(\.code))
        }
    }

    var verifiedPayload: Payload? {
        switch self {
        case .verified(let jws): jws.payload
        case .refused: nil
        }
    }
}

extension JWSVerifier {
    func accepts(_ text: String) -> Bool {
        guard let verdict = try? verify(text, as: TransactionPayload.self, expecting: .any) else { return false }
        return verdict.verifiedPayload != nil
    }
}
