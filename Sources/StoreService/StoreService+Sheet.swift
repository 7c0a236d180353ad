// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// What a customer does on a sheet's page.
extension StoreService {
    /// What the page shows.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func sheet(_ token: String, as customer: Account? = nil) async throws -> SheetView {
        try await ShowingSheet(context)(token, as: customer, now: now)
    }

    /// The customer closed the page.
    package func closeSheet(_ token: String) async throws {
        try await ShowingSheet(context).closed(token, now: now)
    }

    package func cancelSheet(_ token: String) async throws {
        let outcome = try await AnsweringSheet(context).cancel(token, now: now)
        announce(outcome.request, accountChanged: outcome.accountChanged)
    }

    /// Checks a password typed into the page.
    ///
    /// - Throws: `DomainError`: `wrongPassword`, `throttled`.
    package func signIn(email: String, password: String) async throws -> Account {
        try await SigningIn(context)(email: email, password: password, now: now)
    }

    package func signIn(onSheet token: String, as account: Account) async throws {
        faults("sheet:before")
        let outcome = try await AnsweringSheet(context)
            .signIn(token, account: account, now: now)
        faults("sheet:after")
        announce(outcome.request, accountChanged: outcome.accountChanged)
    }

    /// Confirms the payment of a page.
    ///
    /// - Returns: The request: bought, waiting for somebody else's approval,
    ///   interrupted, or failed because the product was withdrawn meanwhile.
    /// - Throws: What `Buying` throws.
    package func buy(onSheet token: String, as account: Account, shown: Money?) async throws -> Request {
        faults("sheet:before")
        let outcome = try await Buying(context)(sheet: token, account: account, shown: shown, now: now) {
            [hub] device in
            hub.accountChanged(on: device.rawValue)
        }
        announce(outcome)
        faults("sheet:after")
        return outcome.request
    }

    /// Makes a token by which a browser needn't type the password again for a while.
    package func openSheetSession(for account: Account) async throws -> String {
        try await sessions(for: account, now: now)
    }

    package func sheetSession(_ token: String) async throws -> Account? {
        try await sessions.account(of: token, now: now)
    }

    private var sessions: OpeningSheetSession {
        OpeningSheetSession(context)
    }

    func announce(_ outcome: Buying.Outcome) {
        announce(outcome.request, accountChanged: false)
        if let failure = outcome.captureFailure {
            logger.warning(
                "a capture is due", metadata: ["request": "\(outcome.request.identifier)", "error": "\(failure)"])
        }
    }

    /// Tells the devices that must hear of a request's new state.
    func announce(_ request: Request, accountChanged: Bool) {
        if accountChanged { hub.accountChanged(on: request.device.rawValue) }
        hub.request(request.identifier, of: request.device.rawValue)
        if let account = request.account { hub.news(of: account) }
    }
}
