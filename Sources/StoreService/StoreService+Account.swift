// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The customer's actions on the pages of the account.
extension StoreService {
    /// The sessions of an account in browsers, the last used first.
    package func sessions(of account: Account) async throws -> [BrowserSession] {
        try await EndingSessions(context).list(of: account)
    }

    /// Ends a session of an account.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func endSession(_ identifier: String, of account: Account) async throws {
        try requireCurrentSchema()
        try await EndingSessions(context)(identifier, of: account)
    }

    /// Ends all sessions of an account, and signs it out on its devices if
    /// `devices` is true.
    package func endSessions(of account: Account, devices: Bool) async throws {
        try requireCurrentSchema()
        try await EndingSessions(context).all(of: account, devices: devices)
    }

    /// The devices on which an account is signed in, the last used first.
    package func devices(of account: Account) async throws -> [AccountDevice] {
        try await RemovingDevice(context).list(of: account)
    }

    /// Signs an account out on a device.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func remove(_ device: DeviceIdentifier, of account: Account) async throws {
        try requireCurrentSchema()
        try await RemovingDevice(context)(device, of: account)
    }

    /// Sets the password of an account whose old one was checked.
    ///
    /// - Throws: The errors of `ChangingPassword`.
    package func changePassword(of account: Account, to password: String) async throws -> Account {
        try requireCurrentSchema()
        return try await ChangingPassword(context)(of: account, to: password)
    }

    /// Closes an account whose password was checked.
    ///
    /// - Throws: The errors of `ClosingAccount`.
    package func close(_ account: Account) async throws {
        try requireCurrentSchema()
        try await ClosingAccount(context)(email: account.email)
    }
}
