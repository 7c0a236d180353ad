// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreDomain
import StoreService

extension TestStore {
    /// The address of the seller's server in ``buyWithNotification``.
    package static let sellersServer = "https://seller.example/"

    /// A customer buys an apple, and the app's server is notified.
    package func buyWithNotification() async throws -> (
        account: Account, device: TestDevice, apple: TransactionIdentifier
    ) {
        try await ChangingNotificationAddresses(context).add(
            Self.sellersServer, of: BundleIdentifier(Self.bundleIdentifier))
        let (anna, phone) = (try await addAccount(), try await addDevice())
        let apple = try await phone.buy("apple", request: "1", as: anna)
        _ = try await service.settleNotifications(of: "", within: .seconds(60))
        return (anna, phone, TransactionIdentifier(apple.transactionIdentifier))
    }
}
