// SPDX-License-Identifier: Apache-2.0

package import StoreCore
import StoreDatabase

/// Asks the customer to sign in for a request that needs an account, such as
/// a receipt refresh.
package struct RequiringSignIn: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The state of a request that needs an account.
    enum State {
        /// An account is signed in on the device.
        case account(Account, DeviceRequest)
        /// The customer has to sign in on the sheet with this token.
        case signIn(String)
        /// The request ends with this failure.
        case failed(PurchaseFailure)

        /// The answer to a restore for which no account is signed in.
        var answer: RestoringPurchases.RestoreAnswer {
            switch self {
            case .signIn(let token): .signIn(token)
            case .failed(let failure): .failed(failure)
            case .account(let account, _): .page([], nextPage: nil, account: account)
            }
        }
    }

    /// The answer to a request that needs an account.
    package enum SignInAnswer: Sendable {
        /// The customer has to sign in on the sheet with this token.
        case signIn(String)
        /// The request ends with this failure.
        case failed(PurchaseFailure)
        /// An account is signed in on the device.
        case signedIn
    }

    /// Records the request, with a sheet when no account is signed in on the
    /// device, or looks up its state.
    ///
    /// - Throws: ``DomainError``: `invalid` for a malformed identifier,
    ///   `requestMismatch` for one that was used for another request.
    package func callAsFunction(
        _ identifier: RequestIdentifier, of bundleIdentifier: BundleIdentifier, on device: DeviceIdentifier
    ) async throws -> SignInAnswer {
        let token = random.hexadecimal(bytes: 32)
        let asked = DeviceRequest(
            device: device, identifier: identifier, kind: .signIn, bundleIdentifier: bundleIdentifier)
        return try await write(for: device) { db in
            switch try Self.require(asked, token: token, db) {
            case .signIn(let token): .signIn(token)
            case .failed(let failure): .failed(failure)
            case .account: .signedIn
            }
        }
    }

    /// Looks up the request or records it, with a sheet when no account is
    /// signed in on the device.
    static func require(
        _ asked: DeviceRequest, token: String, _ db: StoreTransaction
    ) throws -> State {
        let known = try DeviceRequest.hold(asked.identifier, of: asked.device, db)
        if known == nil { try asked.check() }
        if let known, !known.asksForTheSame(as: asked) {
            throw asked.mismatch
        }
        if let failure = known?.failure { return .failed(failure) }
        if let account = try Device.signedInAccount(on: asked.device, db) {
            if let known { return .account(account, known) }
            try asked.insert(db)
            return .account(account, asked)
        }
        guard let known else {
            try asked.insert(db)
            try Sheet(token: token, device: asked.device, requestIdentifier: asked.identifier, now: db.now)
                .insert(db)
            return .signIn(token)
        }
        guard let sheet = try Sheet.find(for: known, db) else {
            return .failed(.signedOut)
        }
        if let expired = try ExpiringSheets.expire(sheet, known, db)?.failure {
            return .failed(expired)
        }
        if sheet.status != .open {
            return .failed(.signedOut)
        }
        return .signIn(sheet.token)
    }
}
