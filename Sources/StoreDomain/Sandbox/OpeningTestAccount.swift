// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Opens an account for a store inside a test. It has no password, and is
/// signed in on a device from the start.
package struct OpeningTestAccount: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Makes the account, registers the device, and signs it in.
    ///
    /// - Throws: ``DomainError`` `invalid` for a country without a storefront.
    package func callAsFunction(
        email: String, storefront: String, device: DeviceIdentifier, secret: String
    ) async throws -> Account {
        let country = try Storefront.known(storefront)
        let account = Account(
            identifier: AccountIdentifier(random.hexadecimal(bytes: 16)), email: email, storefront: country,
            eventNumber: 0)
        try await RegisteringDevice(context)(device, secret: secret)
        try await write(for: account.identifier) { db in
            try account.insert(passwordHash: .ofNobody(by: context.hashing), db)
            try Device.setAccount(account.identifier, on: device, db)
        }
        return account
    }
}
