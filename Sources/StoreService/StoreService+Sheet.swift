// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
package import StoreCore
package import StoreDomain

/// The customer's actions on a sheet's page.
extension StoreService {
    /// Loads the values of the page, with the price for `customer`, or else
    /// for the account that is signed in on the device. A sheet whose page
    /// was closed a moment ago stays open.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func sheet(_ token: String, as customer: Account? = nil) async throws -> SheetView {
        try await ShowingSheet(context)(token, as: customer)
    }

    /// Ends a sheet a few seconds after its page was closed, unless the page
    /// is opened again.
    package func closeSheet(_ token: String) async throws {
        try await ShowingSheet(context).closed(token)
    }

    package func cancelSheet(_ token: String) async throws {
        try requireCurrentSchema()
        try await AnsweringSheet(context).cancel(token)
    }

    /// Checks a password that was typed into the page of a sheet, or elsewhere.
    /// `origin` names a sender without a sheet, of whom only some checks wait at
    /// a time.
    ///
    /// - Throws: `DomainError`: `wrongPassword`, `throttled`, `busy`; for the
    ///   page `notFound`, `sheetExpired`, and `sheetUsed`, also when this was
    ///   one wrong password too many for it.
    package func signIn(
        email: String, password: String, onSheet token: String? = nil, from origin: String? = nil
    ) async throws -> Account {
        try requireCurrentSchema()
        return try await SigningIn(context)(email: email, password: password, onSheet: token, from: origin)
    }

    package func signIn(onSheet token: String, as account: Account) async throws {
        try requireCurrentSchema()
        faults("sheet:before")
        try await AnsweringSheet(context).signIn(token, account: account)
        faults("sheet:after")
    }

    /// Confirms the payment of a page. Nothing is charged or done on other terms
    /// than those that were `shown`, if they are given. `method` is the payment method that the customer
    /// has chosen; `nil` for the preferred one. `tokens` are those of the link
    /// that the customer has clicked in the day before.
    ///
    /// - Returns: The request: bought, `processing` while the payment is
    ///   under way, waiting for an approval, interrupted, or failed because
    ///   the product isn't for sale to the account any more.
    /// - Throws: The errors of `Buying`; `DomainError` `clock`.
    package func buy(
        onSheet token: String, as account: Account, shown: AgreedTerms?, contact: SharedContact? = nil,
        method: PaymentMethodIdentifier? = nil, tokens: CampaignTokens? = nil
    ) async throws -> DeviceRequest {
        try requireCurrentSchema()
        try requireDeliverable()
        faults("sheet:before")
        let outcome = try await Buying(context)(
            sheet: token, account: account, shown: shown, contact: contact, method: method, tokens: tokens)
        report(outcome)
        faults("sheet:after")
        return outcome.request
    }

    /// Makes a token with which a browser confirms sheets without the
    /// password for a while.
    ///
    /// - Throws: The errors of `OpeningSheetSession`.
    package func openSheetSession(
        for account: Account, browser: String = "", replacing old: String? = nil
    ) async throws -> String {
        try await sessions(for: account, browser: browser, replacing: old)
    }

    /// The session of a browser with its account; `nil` for an unknown token.
    package func browserSession(_ token: String) async throws -> SignedInBrowser? {
        try await sessions.find(token)
    }

    package func sheetSession(_ token: String) async throws -> Account? {
        try await sessions.account(of: token)
    }

    /// Ends the session of a browser.
    package func closeSheetSession(_ token: String) async throws {
        try await sessions.close(token)
    }

    private var sessions: OpeningSheetSession {
        OpeningSheetSession(context)
    }

    /// Logs that a payment isn't complete yet, or that its offer was refused on
    /// the sheet.
    func report(_ outcome: Buying.Progress) {
        if let failure = outcome.request.failure { report(failure, of: outcome.request) }
        if let delay = outcome.delay {
            logger.warning(
                "a payment is delayed", metadata: ["request": "\(outcome.request.identifier)", "error": "\(delay)"])
        }
    }

    /// Checks that receipts can be signed for the current time, so that the
    /// customer isn't charged for a purchase without a receipt. They can't
    /// when the store's clock is outside of the validity of its certificates.
    ///
    /// - Throws: `DomainError` `clock`.
    func requireDeliverable() throws {
        do {
            try authority.checkCanSign(at: now.date, forProduction: environment == .production)
        } catch {
            guard error.code == .notValidAtCreationDate else { throw error }
            throw DomainError(
                .clock,
                """
                The store's clock says \(now.date), for which it can't sign receipts. Nothing was charged. Its \
                operator has to set the clock.
                """)
        }
    }
}
