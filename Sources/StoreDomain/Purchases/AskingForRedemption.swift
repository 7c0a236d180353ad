// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Takes a device's request for the sheet on which the customer types a code.
/// A request that is repeated with the same identifier gets the recorded
/// answer, and not another sheet.
package struct AskingForRedemption: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Records the request with a sheet, or looks up its answer. The purchase
    /// isn't a part of the answer: it reaches the device in the queue, as one
    /// that no app has asked for. `item` is the product of an app's store page,
    /// on which codes of the app itself are redeemed.
    ///
    /// - Throws: ``DomainError``: `requestMismatch` when the identifier was
    ///   used for another request, `invalid` for a malformed identifier.
    package func callAsFunction(
        _ identifier: RequestIdentifier, of bundleIdentifier: BundleIdentifier, item: ProductIdentifier? = nil,
        on device: DeviceIdentifier
    ) async throws -> AskingForPayment.RecordedRequest {
        let asked = DeviceRequest(
            device: device, identifier: identifier, kind: .redemption, bundleIdentifier: bundleIdentifier,
            productIdentifier: item)
        let token = random.hexadecimal(bytes: 32)
        return try await write(for: device) { db in
            if let request = try DeviceRequest.hold(identifier, of: device, db) {
                guard request.asksForTheSame(as: asked) else { throw asked.mismatch }
                return try Self.recorded(request, db)
            }
            // The row of an answered request is deleted after a time.
            if let purchase = try Purchase.find(request: identifier, of: device, db) {
                guard purchase.bundleIdentifier == bundleIdentifier else { throw asked.mismatch }
                var answered = asked
                answered.status = .done
                answered.account = purchase.account
                answered.transactionIdentifier = purchase.transactionIdentifier
                return AskingForPayment.RecordedRequest(request: answered)
            }
            try asked.check()
            try asked.insert(db)
            try Sheet(token: token, device: device, requestIdentifier: identifier, now: db.now).insert(db)
            return AskingForPayment.RecordedRequest(request: asked, sheet: token)
        }
    }

    private static func recorded(
        _ request: DeviceRequest, _ db: StoreTransaction
    ) throws -> AskingForPayment.RecordedRequest {
        guard request.status == .open else { return AskingForPayment.RecordedRequest(request: request) }
        return try AskingForPayment.recorded(request, db)
    }
}
