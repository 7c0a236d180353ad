// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain

/// The sheet's pages: HTML from templates, or JSON for clients that accept
/// it.
struct SheetPages {
    let common: CommonPages
    private let taxes: TaxTable
    private let sheet: PageTemplate
    private let pending: PageTemplate
    private let consent: PageTemplate
    let redeem: PageTemplate

    init(_ common: CommonPages, taxes: TaxTable) throws {
        self.common = common
        self.taxes = taxes
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
        case subscribed

        var words: KeyPath<OutcomeWords, OutcomeWords.Outcome> {
            switch self {
            case .purchased: \.purchased
            case .cancelled: \.cancelled
            case .signedIn: \.signedIn
            case .agreed: \.agreed
            case .notNow: \.notNow
            case .nothingToAgree: \.nothingToAgree
            case .asked: \.asked
            case .interrupted: \.interrupted
            case .underWay: \.underWay
            case .pending: \.pending
            case .subscribed: \.subscribed
            }
        }

        /// 202 Accepted while the payment isn't complete (RFC 9110, section
        /// 15.3.3).
        var status: HTTPResponse.Status { self == .underWay || self == .pending ? .accepted : .ok }
    }

    /// The page with the form, and with the failure of the last attempt.
    func page(
        _ view: SheetView, session: Account?, typed: CustomerForm? = nil, failure: StoreFailure? = nil,
        cookie: String? = nil, request: Hummingbird.Request
    ) -> Response {
        if let failure, request.wantsJSON { return failure.response() }
        let languages = request.languages(of: view.account)
        let language = PageLanguage(LanguagePreference(languages, in: view.storefront))
        if let refusal = view.refusal {
            return common.failure(StoreFailure(ended: refusal), in: language, request: request)
        }
        // The note of the page says that the product is owned.
        let told = failure?.reason == .owned ? nil : failure ?? view.sheet.message.map { StoreFailure(.declined, $0) }
        let message = told.map {
            PageMessage($0, in: language)
        }
        let text: String
        switch view.request.kind {
        case .priceConsent:
            guard let increase = view.increase else {
                if let failure { return common.failure(failure, in: language, request: request) }
                return outcome(.nothingToAgree, cookie: cookie, in: language, request: request)
            }
            text = consent.render(
                ConsentModel(view, increase, session: session, typed: typed, message: message, languages: languages))
        case .redemption:
            text = redeem.render(
                RedemptionModel(
                    view, given: nil, isSignedIn: session != nil, typed: typed, message: message, in: language))
        default:
            text = sheet.render(
                SheetModel(
                    view, session: session, typed: typed, message: message, languages: languages, taxes: taxes))
        }
        var response = Response.page(text, status: failure?.status ?? .ok)
        if let cookie { response.setSession(cookie) }
        return response
    }

    /// The last page of a sheet. `chosen` is the plan that was chosen for a
    /// subscription's next period instead of a purchase, `item` the item that
    /// was bought.
    func outcome(
        _ outcome: PageState, chosen: ChosenPlan? = nil, item: Item? = nil, cookie: String?, in language: PageLanguage,
        request: Hummingbird.Request
    ) -> Response {
        let text = OutcomeWords.words(language)[keyPath: outcome.words]
        var model =
            chosen.map { SubscriptionText(language).result($0) }
            ?? ResultModel(language, title: text.title, message: text.message, isGood: true)
        model.link = item.map { .seller(of: $0, in: language) }
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
        for pending: PendingAuthorisation?, action: String?, cookie: String? = nil, in language: PageLanguage,
        request: Hummingbird.Request
    ) -> Response {
        let outcome = pending == nil ? PageState.underWay : .pending
        var response: Response
        if request.wantsJSON {
            response = Response.json(
                PendingAnswer(outcome: outcome.rawValue, action: action, expires: pending?.expires.milliseconds),
                status: outcome.status)
        } else {
            let model = PendingModel(outcome, action: action, in: language)
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
