// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Asks the customer to sign in for a request that needs an account, such as
/// a receipt refresh.
package struct SigningInFirst: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    package enum Answer: Sendable {
        /// The customer has to sign in on the sheet with this token.
        case signIn(String)
        case failed(DeviceRequest.Failure)
        /// An account is signed in on the device.
        case signedIn
    }

    package func callAsFunction(
        _ identifier: String, of bundleIdentifier: String, on device: DeviceIdentifier, now: Instant
    ) async throws -> Answer {
        let token = random.hexadecimal(bytes: 32)
        let asked = DeviceRequest(
            device: device, identifier: identifier, kind: .signIn, bundleIdentifier: bundleIdentifier)
        return try await write { db in
            switch try AskingToSignIn.ask(asked, token: token, now: now, db) {
            case .signIn(let token): .signIn(token)
            case .failed(let failure): .failed(failure)
            case .account: .signedIn
            }
        }
    }
}
