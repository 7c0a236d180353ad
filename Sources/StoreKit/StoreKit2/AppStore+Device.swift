// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension AppStore {
    /// Whether the device allows payments.
    public static var canMakePayments: Bool { AgentHost.shared.canMakePayments }

    /// The identifier to which the store binds signed values on this device:
    /// see ``Transaction/deviceVerification``. `nil` when StoreKit can't start.
    public static var deviceVerificationID: UUID? {
        StoreKit.deviceIdentifier.flatMap { UUID(deviceIdentifier: $0) }
    }

    /// Fetches the customer's transactions and subscriptions from the store.
    ///
    /// The customer signs in if none is signed in. StoreKit fetches changes
    /// without this call; apps offer it as "Restore Purchases".
    ///
    /// - Throws: ``StoreKitError``: `userCancelled` when the customer doesn't
    ///   sign in, `networkError`; `CancellationError`.
    public static func sync() async throws {
        try await AgentHost.shared.perform(.appStoreSync) { agent in
            try await agent.refreshReceipt()
            let request = try await agent.refreshSignedTransactions()
            guard try await agent.waitForSignedAnswer(to: request, atMost: SignedAccess.longestWait) else {
                throw StoreKitError.networkError(URLError(.timedOut))
            }
        }
    }
}
