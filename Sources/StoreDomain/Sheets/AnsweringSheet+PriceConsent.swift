// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension AnsweringSheet {
    /// Confirms the sheet of a price increase: the account agrees to the price
    /// of a subscription, and of the one on the sheet if `original` is `nil`.
    /// Nothing is agreed to but the terms that were `shown`, if they are given.
    ///
    /// - Returns: The request that waits for a parent of a child, which hasn't
    ///   agreed yet; `nil` after an agreement.
    /// - Throws: ``DomainError``: `notFound` when no increase of the account
    ///   waits, `sheetUsed`, `sheetExpired`, `invalid` for another kind of
    ///   sheet, `priceChanged`, `decided`, `wrongPassword` when the account
    ///   was closed since its password was checked.
    @discardableResult
    package func agree(
        _ token: String, to original: OriginalTransactionIdentifier?, account: Account, shown: AgreedTerms?
    ) async throws -> DeviceRequest? {
        let asking = AskingParents(context, of: account.identifier)
        return try await write(for: account.identifier) { db in
            var (sheet, request) = try Self.open(token, db)
            guard request.kind == .priceConsent else {
                throw DomainError(.invalid, "This page asks for no consent to a price.")
            }
            guard let account = try Account.findOpen(account.identifier, db) else { throw SigningIn.wrong }
            let increase = try PendingPriceIncrease.first(original, of: account, in: request.bundleIdentifier, db)
            guard let increase else {
                throw DomainError(.notFound, "No higher price of \(account.email) waits for consent.")
            }
            guard try sheet.move(from: .open, to: .confirmed, db) else { throw Self.overtaken }
            let asked = try AnsweringPriceIncrease.agree(
                increase.original, account: account.identifier, shown: shown, asking, db)
            request.account = account.identifier
            request.status = .done
            try request.update(db)
            try DeviceNews.append(request, db)
            return asked
        }
    }
}

extension PendingPriceIncrease {
    /// Finds the increase that an account's customer has to decide on first,
    /// or that of a subscription; `nil` when none waits for an answer.
    static func first(
        _ original: OriginalTransactionIdentifier? = nil, of account: Account,
        in bundleIdentifier: BundleIdentifier, _ db: StoreTransaction
    ) throws -> PendingPriceIncrease? {
        try AnsweringPriceIncrease.pending(of: account.identifier, in: bundleIdentifier, db)
            .filter { $0.isUndecided && (original == nil || $0.original == original) }
            .min { ($0.applies, $0.original.rawValue) < ($1.applies, $1.original.rawValue) }
    }
}
