// SPDX-License-Identifier: Apache-2.0

package import StoreCore
import StoreDatabase

/// Asks the customer to agree to the higher price of a subscription of an
/// app.
package struct RequiringPriceConsent: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The answer to a request for consent.
    package enum Answer: Sendable {
        /// The customer can agree on the sheet with this token.
        case sheet(String)
        /// The request ends with this failure.
        case failed(PurchaseFailure)
        /// The customer has agreed, or no price increase waits.
        case nothing
    }

    /// Records the request, with a sheet, or looks up its state. A request is
    /// recorded only if a price increase waits for the account that is signed
    /// in on the device.
    ///
    /// - Throws: ``DomainError``: `invalid` for a malformed identifier,
    ///   `requestMismatch` for one that was used for another request.
    package func callAsFunction(
        _ identifier: RequestIdentifier, of bundleIdentifier: BundleIdentifier, on device: DeviceIdentifier
    ) async throws -> Answer {
        let token = random.hexadecimal(bytes: 32)
        let asked = DeviceRequest(
            device: device, identifier: identifier, kind: .priceConsent, bundleIdentifier: bundleIdentifier)
        return try await write(for: device) { db in
            if let known = try DeviceRequest.hold(identifier, of: device, db) {
                guard known.asksForTheSame(as: asked) else { throw asked.mismatch }
                return try Self.state(of: known, db)
            }
            try asked.check()
            guard let account = try Device.signedInAccount(on: device, db),
                try PendingPriceIncrease.first(of: account, in: bundleIdentifier, db) != nil
            else { return .nothing }
            try asked.insert(db)
            try Sheet(token: token, device: device, requestIdentifier: identifier, now: db.now).insert(db)
            return .sheet(token)
        }
    }

    private static func state(of request: DeviceRequest, _ db: StoreTransaction) throws -> Answer {
        if let failure = request.failure { return .failed(failure) }
        guard request.status == .open, let sheet = try Sheet.find(for: request, db) else { return .nothing }
        if let failure = try ExpiringSheets.expire(sheet, request, db)?.failure { return .failed(failure) }
        return sheet.status == .open ? .sheet(sheet.token) : .nothing
    }
}
