// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The state of a request that needs an account: the account that is signed
/// in on the device, or else a sheet on which the customer signs in.
enum AskingToSignIn {
    case account(Account, DeviceRequest)
    case signIn(String)
    case failed(DeviceRequest.Failure)

    /// Looks up the request or records it, with a sheet when no account is
    /// signed in on the device.
    static func ask(
        _ asked: DeviceRequest, token: String, now: Instant, _ db: StoreTransaction
    ) throws -> AskingToSignIn {
        let known = try DeviceRequest.find(asked.identifier, of: asked.device, db)
        if known == nil { try asked.check() }
        if let known, !known.asksForTheSame(as: asked) {
            throw asked.mismatch
        }
        if let failure = known?.failure { return .failed(failure) }
        if let account = try Device.signedInAccount(on: asked.device, db) {
            if let known { return .account(account, known) }
            try asked.insert(at: now, db)
            return .account(account, asked)
        }
        guard let known else {
            try asked.insert(at: now, db)
            try Sheet(token: token, device: asked.device, requestIdentifier: asked.identifier, now: now)
                .insert(db)
            return .signIn(token)
        }
        guard let sheet = try Sheet.find(for: known, db) else {
            return .failed(.init(code: 0, message: "The device was signed out meanwhile: try again."))
        }
        if let expired = try ExpiringSheets.expire(sheet, known, now: now, db)?.failure {
            return .failed(expired)
        }
        if sheet.status != .open {
            return .failed(.init(code: 0, message: "The device was signed out meanwhile: try again."))
        }
        return .signIn(sheet.token)
    }

    /// The answer to a restore for which no account is signed in.
    var answer: RestoringPurchases.Answer {
        switch self {
        case .signIn(let token): .signIn(token)
        case .failed(let failure): .failed(failure)
        case .account(let account, _): .page([], nextPage: nil, account: account)
        }
    }
}
