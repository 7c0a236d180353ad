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
        email: String, storefront: String, device: DeviceIdentifier, secret: String, now: Instant
    ) async throws -> Account {
        guard let country = Storefront.named(storefront) else {
            throw DomainError(
                .invalid,
                "There is no storefront \"\(storefront)\": use a three-letter country code such as USA or DEU.")
        }
        let account = Account(
            identifier: random.hexadecimal(bytes: 16), email: email, storefront: country, eventNumber: 0)
        try await RegisteringDevice(context)(device, secret: secret, now: now)
        try await write { db in
            try account.insert(passwordHash: .ofNobody, at: now, db)
            _ = try Device.setAccount(account.identifier, on: device, db)
        }
        return account
    }
}
