// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreAPI

/// The account that is signed in on a device. All apps of the device share
/// it, so signing out affects all of them.
package struct DeviceAccount: Sendable {
    private let folder: AgentFolder

    /// The account of the device with this home.
    package init(home: URL) {
        folder = AgentFolder(home: home, bundleIdentifier: "")
    }

    /// Signs the device out. Each sign-out needs a new request identifier.
    ///
    /// Running apps are notified. Their receipts stay where they are until
    /// another account signs in.
    ///
    /// - Throws: ``AgentError`` with the code `home` when no app has made
    ///   this home a device yet, `StoreFailure`, `ConnectionFailure`.
    package func signOut(over connection: any StoreConnection, request: String) async throws {
        _ = try await connection.call(SignOutCall(requestIdentifier: request), as: try identity().credentials)
    }

    /// Lets the customer sign in on a sheet, unless an account is signed in.
    ///
    /// The store asks for an account when it makes a receipt, so the sign-in
    /// is that of a receipt of an app, which isn't kept. A request that is
    /// repeated with its identifier has the same sheet.
    ///
    /// - Returns: the address of the sheet that the customer has to answer;
    ///   `nil` when an account is signed in.
    /// - Throws: ``AgentError`` with the code `home` when no app has made this
    ///   home a device yet, `PurchaseFailure` when the customer has cancelled,
    ///   `StoreFailure`, `ConnectionFailure`.
    package func signIn(
        for bundleIdentifier: String, over connection: any StoreConnection, request: String
    ) async throws -> String? {
        let answer = try await StoreClient(connection: connection, credentials: try identity().credentials).call(
            ReceiptCall(
                requestIdentifier: request, bundleIdentifier: bundleIdentifier, applicationVersion: "1.0",
                mayAskToSignIn: true))
        if let failure = answer.failure { throw failure.printable }
        return answer.sheet
    }

    private func identity() throws -> DeviceIdentity {
        guard let identity = try DeviceIdentity.load(folder.device, PosixFiles()) else {
            throw AgentError(
                .home, "\(folder.home.path) is no device's home yet: an app makes it one when it is first started.")
        }
        return identity
    }
}
