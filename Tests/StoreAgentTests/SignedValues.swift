// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation
import StoreAPI
import StoreCore

@testable import StoreAgent

/// Signed values of a scripted store.
enum SignedValues {
    static let nonce = "11111111-2222-4333-8444-555555555555"
    private static let signed = Date(timeIntervalSince1970: 1_700_000_000)

    /// A transaction for a device; `change` may change its payload.
    static func transaction(
        _ identifier: String, product: String = "com.example.fruit.apple", of agent: Agent,
        by authority: SigningAuthority = ScriptedStore.authority,
        change: (inout TransactionPayload) -> Void = { _ in }
    ) throws -> SignedTransactionInfo {
        var payload = TransactionPayload()
        payload.transactionId = identifier
        payload.originalTransactionId = identifier
        payload.productId = product
        payload.bundleId = Device.bundle
        payload.purchaseDate = signed
        payload.originalPurchaseDate = signed
        payload.type = "Non-Consumable"
        payload.environment = .sandbox
        payload.inAppOwnershipType = "PURCHASED"
        payload.signedDate = signed
        payload.deviceVerificationNonce = nonce
        payload.deviceVerification = verification(of: agent)
        change(&payload)
        return SignedTransactionInfo(
            transactionIdentifier: identifier, productIdentifier: product, signed: try authority.sign(payload))
    }

    /// The value that binds the nonce to an agent's device.
    static func verification(of agent: Agent) -> String {
        let device = UUID(deviceIdentifier: agent.deviceIdentifier)?.uuidString.lowercased() ?? ""
        return Data(SHA384.hash(data: Data((nonce + device).utf8))).base64EncodedString()
    }
}
