// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Finds the customer's newest request for a refund of a purchase, for a device
/// on which the customer is signed in.
package struct FindingRefundRequest: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A purchase, and the newest request about it; `nil` without one.
    package struct State: Sendable {
        package var purchase: Purchase
        package var newest: RefundRequest?
    }

    /// The state of a purchase of an app; `nil` for one that isn't of the account
    /// on the device.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(
        _ transaction: TransactionIdentifier, in bundleIdentifier: BundleIdentifier, on device: DeviceIdentifier
    ) async throws -> State? {
        try await read { db in
            guard let account = try Device.signedInAccount(on: device, db),
                let purchase = try Purchase.find(transaction, of: account.identifier, db),
                purchase.account == account.identifier, purchase.bundleIdentifier == bundleIdentifier
            else { return nil }
            return State(purchase: purchase, newest: try RefundRequest.newest(of: purchase, db))
        }
    }
}
