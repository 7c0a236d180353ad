// SPDX-License-Identifier: Apache-2.0

/// A code of a complete batch.
struct OfferCode: Hashable, Sendable {
    var hash: String
    var batch: OfferCodeBatch
    var uses: Int
    var usesLimit: Int

    /// Why it can't be redeemed at a time, for any customer; `nil` when
    /// it can.
    func refusal(at now: WallTime) -> DomainError? {
        if batch.revoked != nil { return Self.revoked }
        if let expires = batch.expires, now >= expires {
            return DomainError(.codeExpired, "This code has expired.")
        }
        return uses < usesLimit ? nil : Self.usedUp
    }

    static let revoked = DomainError(
        .codeRevoked, "This code isn't valid any more: its seller has revoked it. Nothing was charged.")
    static let usedUp = DomainError(.codeUsed, "This code was redeemed already. Nothing was charged.")
    static let unknown = DomainError(.codeUnknown, "There is no such code for this app. Check the letters and digits.")
    static let ofAnotherApp = DomainError(.codeUnknown, "This code is for another app: redeem it there.")
    static let ofProduct = DomainError(.codeUnknown, "This code is for a purchase in the app: redeem it there.")
    static let ofApp = DomainError(
        .codeUnknown, "This code is for the app itself: redeem it on the app's page in the store.")
}
