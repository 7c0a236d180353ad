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

    /// The renewal of a subscription for an agent's device.
    static func renewal(
        of original: String, on agent: Agent, change: (inout RenewalInfoPayload) -> Void = { _ in }
    ) throws -> String {
        var payload = RenewalInfoPayload()
        payload.originalTransactionId = original
        payload.productId = "small"
        payload.autoRenewStatus = 1
        payload.environment = .sandbox
        payload.signedDate = signed
        payload.deviceVerificationNonce = nonce
        payload.deviceVerification = verification(of: agent)
        change(&payload)
        return try ScriptedStore.authority.sign(payload)
    }

    /// The app transaction of an agent's device.
    static func app(of agent: Agent, change: (inout AppTransactionPayload) -> Void = { _ in }) throws -> String {
        var payload = AppTransactionPayload()
        payload.bundleId = Device.bundle
        payload.applicationVersion = "1"
        payload.originalApplicationVersion = "1"
        payload.originalPurchaseDate = signed
        payload.receiptType = .sandbox
        payload.receiptCreationDate = signed
        payload.deviceVerificationNonce = nonce
        payload.deviceVerification = verification(of: agent)
        change(&payload)
        return try ScriptedStore.authority.sign(payload)
    }

    /// The value that binds the nonce to an agent's device.
    static func verification(of agent: Agent) -> String {
        let device = UUID(deviceIdentifier: agent.deviceIdentifier)?.uuidString.lowercased() ?? ""
        return Data(SHA384.hash(data: Data((nonce + device).utf8))).base64EncodedString()
    }
}
