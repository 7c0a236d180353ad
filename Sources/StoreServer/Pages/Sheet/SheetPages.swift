// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain

/// The sheet's pages: HTML from templates, or JSON for clients that accept
/// it.
struct SheetPages {
    let common: CommonPages
    private let sheet: PageTemplate
    private let pending: PageTemplate
    private let consent: PageTemplate
    let redeem: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        sheet = try common.templates.page(PackageResources.sheet_mustache)
        pending = try common.templates.page(PackageResources.pending_mustache)
        consent = try common.templates.page(PackageResources.consent_mustache)
        redeem = try common.templates.page(PackageResources.redeem_mustache)
    }

    /// How a sheet ended without an error.
    enum PageState: String {
        case purchased
        case cancelled
        case signedIn = "signed-in"
        case agreed
        case notNow = "not-now"
        case nothingToAgree = "nothing-to-agree"
        case asked
        case interrupted
        case underWay = "under-way"
        case pending

        var title: String {
            switch self {
            case .purchased: "Purchased"
            case .cancelled: "Cancelled"
            case .signedIn: "Signed in"
            case .agreed: "Agreed"
            case .notNow: "Not now"
            case .nothingToAgree: "No new price"
            case .asked: "Asked"
            case .interrupted: "Interrupted"
            case .underWay: "Payment under way"
            case .pending: "Waiting for your bank"
            }
        }

        /// 202 Accepted while the payment isn't complete (RFC 9110, section
        /// 15.3.3).
        var status: HTTPResponse.Status { self == .underWay || self == .pending ? .accepted : .ok }

        var message: String {
            switch self {
            case .purchased: "You can close this page and go back to the app."
            case .cancelled: "Nothing was charged. You can close this page and go back to the app."
            case .signedIn: "You can close this page; the app continues without it."
            case .agreed: "The subscription goes on at the new price. You can close this page and go back to the app."
            case .notNow:
                "You have not agreed to the new price, and can still do so. You can close this page and go back to "
                    + "the app."
            case .nothingToAgree: "No new price waits for your consent. You can close this page."
            case .asked: "Another person has to approve this first; the app then continues. Nothing was charged yet."
            case .interrupted:
                "There is something to do in the store first; the purchase then continues. "
                    + "Nothing was charged yet."
            case .pending:
                "Your bank has not confirmed the payment yet. You can also close this page: the app gets the "
                    + "purchase, or learns that nothing was charged."
            case .underWay:
                "The payment is recorded and goes on as soon as the store can complete it. Don't buy this again: "
                    + "the app gets it, or learns that nothing was charged."
            }
        }
    }

    /// The page with the form, and with the failure of the last attempt.
    func page(
        _ view: SheetView, session: Account?, typed: CustomerForm? = nil, failure: StoreFailure? = nil,
        cookie: String? = nil, request: Hummingbird.Request
    ) -> Response {
        if let failure, request.wantsJSON { return failure.response() }
        if let refusal = view.refusal {
            return common.failure(StoreFailure(ended: refusal), request: request)
        }
        let message = failure?.message ?? view.sheet.message
        let languages = request.acceptedLanguages
        let text: String
        switch view.request.kind {
        case .priceConsent:
            guard let increase = view.increase else {
                if let failure { return common.failure(failure, request: request) }
                return outcome(.nothingToAgree, cookie: cookie, request: request)
            }
            text = consent.render(
                ConsentModel(view, increase, session: session, typed: typed, message: message, languages: languages))
        case .redemption:
            text = redeem.render(
                RedemptionModel(view, given: nil, isSignedIn: session != nil, typed: typed, message: message))
        default:
            text = sheet.render(
                SheetModel(view, session: session, typed: typed, message: message, languages: languages))
        }
        var response = Response.page(text, status: failure?.status ?? .ok)
        if let cookie { response.setSession(cookie) }
        return response
    }

    /// The last page of a sheet. `chosen` is the plan that was chosen for a
    /// subscription's next period instead of a purchase.
    func outcome(
        _ outcome: PageState, chosen: ChosenPlan? = nil, cookie: String?, request: Hummingbird.Request
    ) -> Response {
        let model =
            chosen.map(SubscriptionText.result)
            ?? ResultModel(title: outcome.title, message: outcome.message, isGood: true)
        var response =
            request.wantsJSON
            ? Response.json(["outcome": outcome.rawValue], status: outcome.status)
            : common.result(model, status: outcome.status)
        if let cookie { response.setSession(cookie) }
        return response
    }

    /// The page of a payment that isn't complete: it shows the customer what
    /// to do, and loads itself again until there is a result.
    ///
    /// `action` is the address at which the customer has to act; `nil` when
    /// there is none.
    func waiting(
        for pending: PendingAuthorisation?, action: String?, cookie: String? = nil, request: Hummingbird.Request
    ) -> Response {
        let outcome = pending == nil ? PageState.underWay : .pending
        var response: Response
        if request.wantsJSON {
            response = Response.json(
                PendingAnswer(outcome: outcome.rawValue, action: action, expires: pending?.expires.milliseconds),
                status: outcome.status)
        } else {
            let title = action == nil ? outcome.title : "Confirm at your bank"
            let message =
                action == nil
                ? outcome.message
                : "Your bank asks you to confirm this payment. It opens in a new window. Nothing was charged yet."
            let model = PendingModel(title: title, message: message, outcome: outcome.rawValue, action: action)
            response = .page(self.pending.render(model), status: outcome.status)
        }
        if let cookie { response.setSession(cookie) }
        return response
    }

    var script: Response { .file(PackageResources.sheet_js, type: "text/javascript; charset=utf-8") }
    var pendingScript: Response { .file(PackageResources.pending_js, type: "text/javascript; charset=utf-8") }
}

/// The answer in JSON for a payment that isn't complete.
private struct PendingAnswer: Encodable {
    /// `pending` while the provider waits, or `under-way`.
    var outcome: String
    /// The address at which the customer has to act.
    var action: String?
    /// When the store stops waiting, in milliseconds since 1970.
    var expires: Int64?
}

extension StoreFailure {
    /// The failure of a sheet that can't be answered any more.
    fileprivate init(ended refusal: DomainError) {
        let code: Code =
            switch refusal.code {
            case .sheetExpired: .sheetExpired
            case .declined: .declined
            default: .sheetUsed
            }
        self.init(code, refusal.message)
    }
}
