// SPDX-License-Identifier: Apache-2.0

import AppReceipts

// Payloads for the apps of a device, each bound to the device with a nonce of
// its own.
extension SigningPayloads {
    /// The signed transactions of purchases for a device, in their order.
    ///
    /// - Throws: `AppReceiptError`, `DatabaseError`.
    package func callAsFunction(_ purchases: [Purchase], for device: DeviceIdentifier) async throws -> [String] {
        let details = try await read { db in try ServedDetails.of(purchases, db) }
        return try await sign(
            purchases.map { bound(TransactionPayload($0, details, in: environment, signed: now), to: device) })
    }

    /// The signed renewals of subscriptions for a device, in their order.
    ///
    /// - Throws: The errors of the other `callAsFunction(_:for:)`.
    package func callAsFunction(_ renewals: [ServedRenewal], for device: DeviceIdentifier) async throws -> [String] {
        let details = try await read { db in try ServedDetails.of(renewals.map(\.purchase), db) }
        return try await sign(
            renewals.map { bound(RenewalInfoPayload($0, details, in: environment, signed: now), to: device) })
    }

    /// The signed app transaction of a customer for a device, on which the app
    /// has a version.
    ///
    /// - Throws: The errors of the other `callAsFunction(_:for:)`.
    package func callAsFunction(
        _ app: ServedApp, version: String, for device: DeviceIdentifier
    ) async throws -> String? {
        var payload = AppTransactionPayload(app, in: environment, signed: now)
        payload.applicationVersion = version
        return try await sign([bound(payload, to: device)]).first
    }

    private func bound<Payload: BoundPayload>(_ payload: Payload, to device: DeviceIdentifier) -> Payload {
        var payload = payload
        if let verification = DeviceVerification(device, nonce: random.uuid()) { payload.bind(verification) }
        return payload
    }
}
