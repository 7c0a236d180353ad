// SPDX-License-Identifier: Apache-2.0

import AppReceipts
public import Foundation
import StoreAgent

/// The customer's app: since when, and from which version on, the customer has
/// it.
///
/// Two values are equal when the store's signed values are.
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct AppTransaction: Sendable {
    /// The app's number in Apple's store; `nil` in other stores.
    public let appID: UInt64?
    /// The version of the app on this device.
    public let appVersion: String
    /// The number of the version in Apple's store; `nil` in other stores.
    public let appVersionID: UInt64?
    /// The app's bundle identifier.
    public let bundleID: String
    /// The environment of the store.
    public let environment: AppStore.Environment
    /// The version that the customer got first.
    public let originalAppVersion: String
    /// When the customer got the app.
    public let originalPurchaseDate: Date
    /// When the customer ordered the app in advance; `nil` without an order.
    public let preorderDate: Date?
    /// The platform on which the customer got the app first; a name without a
    /// constant when the store doesn't sign one.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public let originalPlatform: AppStore.Platform
    /// The value that binds the signature to this device; see
    /// ``Transaction/deviceVerification``.
    public let deviceVerification: Data
    /// The nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// When the store signed the value.
    public let signedDate: Date

    let signed: SignedText
    private let payload: AppTransactionPayload

    init(_ payload: AppTransactionPayload, signed: SignedText) {
        self.payload = payload
        self.signed = signed
        appID = payload.appAppleId.flatMap { UInt64(exactly: $0) }
        appVersion = payload.applicationVersion ?? ""
        appVersionID = payload.versionExternalIdentifier.flatMap { UInt64(exactly: $0) }
        bundleID = payload.bundleId ?? ""
        environment = AppStore.Environment(rawValue: payload.receiptType?.rawValue ?? "")
        originalAppVersion = payload.originalApplicationVersion ?? ""
        originalPurchaseDate = payload.originalPurchaseDate ?? .missing
        preorderDate = payload.preorderDate
        originalPlatform = AppStore.Platform(rawValue: payload.originalPlatform ?? "")
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .missing
        signedDate = payload.receiptCreationDate ?? .missing
    }

    /// The identifier of the customer's download of the app, the same for all
    /// transactions of the customer; empty from a store that doesn't sign one.
    public var appTransactionID: String { payload.appTransactionId ?? "" }

    /// When the app was refunded or isn't shared any more; `nil` while it is
    /// neither.
    public var revocationDate: Date? { payload.revocationDate }

    /// The platform on which the customer got the app first.
    @available(iOS, deprecated: 18.4)
    @available(macOS, deprecated: 15.4)
    @available(tvOS, deprecated: 18.4)
    @available(watchOS, deprecated: 11.4)
    @available(visionOS, deprecated: 2.4)
    public var originalPlatformStringRepresentation: String { payload.originalPlatform ?? "" }

    /// The signed value as JSON.
    public var jsonRepresentation: Data { signed.payload }

    /// The app of the customer, as the store has signed it last.
    ///
    /// - Throws: ``StoreKitError``: `userCancelled` when no customer is
    ///   signed in, `networkError`; `CancellationError`.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws {
            try await AgentHost.shared.perform(.appTransaction) { agent in
                try await SignedAccess.prepare(agent)
                guard let signed = try await agent.signedApp() else { throw StoreKitError.userCancelled }
                return VerificationResult<AppTransaction>(signed, of: agent)
            }
        }
    }

    /// Asks the store to sign the value again. The customer signs in if none is
    /// signed in.
    ///
    /// - Throws: The errors of ``AppStore/sync()``.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await AppStore.sync()
        return try await shared
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension AppTransaction: Equatable, Hashable {
    /// Whether the signed values are the same.
    public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool {
        lhs.payload == rhs.payload
    }

    /// Hashes the signed value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(payload)
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension AppTransaction: CustomDebugStringConvertible {
    /// The signed value as JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
