// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore
import StoreAPI
import StoreDomain

/// The sheet's pages: HTML from templates, or JSON for clients that accept
/// it.
struct SheetPages {
    /// The name of the session cookie. Browsers accept a cookie with the
    /// prefix `__Host-` only from the host itself over https (RFC 6265bis,
    /// section 4.1.3.2).
    static let cookieName = "__Host-store_session"

    private let sheet: MustacheTemplate
    private let result: MustacheTemplate
    private let pending: MustacheTemplate
    private let bank: MustacheTemplate
    private let subscriptions: MustacheTemplate

    init() throws {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        sheet = try MustacheTemplate(string: String(decoding: PackageResources.sheet_mustache, as: UTF8.self))
        result = try MustacheTemplate(string: String(decoding: PackageResources.result_mustache, as: UTF8.self))
        pending = try MustacheTemplate(string: String(decoding: PackageResources.pending_mustache, as: UTF8.self))
        bank = try MustacheTemplate(string: String(decoding: PackageResources.bank_mustache, as: UTF8.self))
        subscriptions = try MustacheTemplate(
            string: String(decoding: PackageResources.subscriptions_mustache, as: UTF8.self))
    }

    /// How a sheet ended without an error.
    enum PageState: String {
        case purchased
        case cancelled
        case signedIn = "signed-in"
        case asked
        case interrupted
        case underWay = "under-way"
        case pending

        var title: String {
            switch self {
            case .purchased: "Purchased"
            case .cancelled: "Cancelled"
            case .signedIn: "Signed in"
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
        _ view: SheetView, session: Account?, typed: SheetForm? = nil, failure: StoreFailure? = nil,
        cookie: String? = nil, request: Hummingbird.Request
    ) -> Response {
        if let failure, request.wantsJSON { return failure.response() }
        if let refusal = view.refusal {
            return self.failure(StoreFailure(ended: refusal), request: request)
        }
        let model = SheetModel(
            view, session: session, typed: typed, message: failure?.message ?? view.sheet.message,
            languages: request.acceptedLanguages)
        var response = html(sheet.render(model), status: failure?.status ?? .ok)
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
            : html(result.render(model), status: outcome.status)
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
            response = html(self.pending.render(model), status: outcome.status)
        }
        if let cookie { response.setSession(cookie) }
        return response
    }

    /// The page of a customer's subscriptions, with the failure of the last
    /// answer. `isSignedOut` removes the session cookie.
    func subscriptions(
        _ model: SubscriptionsModel, failure: StoreFailure? = nil, cookie: String? = nil, isSignedOut: Bool = false,
        request: Hummingbird.Request
    ) -> Response {
        if let failure, request.wantsJSON { return failure.response() }
        var response =
            request.wantsJSON
            ? Response.json(SubscriptionsAnswer(model))
            : html(subscriptions.render(model), status: failure?.status ?? .ok)
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        if let cookie { response.setSession(cookie) }
        if isSignedOut { response.setSession("", maxAge: 0) }
        return response
    }

    /// The sandbox's page on which a customer confirms a pending payment.
    func bank(_ payment: SandboxPayment, environment: StoreEnvironment) -> Response {
        let price = "\(payment.amount.decimal) \(payment.amount.currency)"
        return html(
            bank.render(BankModel(title: "Sandbox bank", environment: environment.rawValue, price: price)))
    }

    /// The last page of the sandbox's bank.
    func bankResult(isConfirmed: Bool, request: Hummingbird.Request) -> Response {
        if request.wantsJSON { return Response.json(["outcome": isConfirmed ? "confirmed" : "declined"]) }
        return html(
            result.render(
                ResultModel(
                    title: isConfirmed ? "Confirmed" : "Declined",
                    message: "You can close this page and go back to the store's page.", isGood: isConfirmed)))
    }

    func failure(_ failure: StoreFailure, request: Hummingbird.Request) -> Response {
        if request.wantsJSON { return failure.response() }
        let title =
            switch failure.code {
            case .throttled: "Wait a moment"
            case .notFound: "No such page"
            case .sheetUsed: "Already answered"
            case .sheetExpired: "Too late"
            case .unavailable: "Not now"
            case .declined: "Declined"
            case .decided: "Already answered"
            default: "That didn't work"
            }
        var response = html(
            result.render(ResultModel(title: title, message: failure.message, isGood: false)), status: failure.status)
        response.headers[.retryAfter] = failure.retryAfter.map(String.init)
        return response
    }

    var style: Response { file(PackageResources.sheet_css, type: "text/css; charset=utf-8") }
    var script: Response { file(PackageResources.sheet_js, type: "text/javascript; charset=utf-8") }
    var pendingScript: Response { file(PackageResources.pending_js, type: "text/javascript; charset=utf-8") }

    private func file(_ bytes: [UInt8], type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "max-age=300"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
            .contentSecurityPolicy:
                "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'",
        ]
        // The page's address is enough to cancel the sheet: other sites must
        // not receive it as the referrer.
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
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

extension Response {
    /// Sets the session cookie, with which the browser confirms sheets
    /// without the password for a while.
    fileprivate mutating func setSession(
        _ token: String, maxAge: Int = Int(OpeningSheetSession.lifetime.components.seconds)
    ) {
        setCookie(
            Cookie(
                name: SheetPages.cookieName, value: token, maxAge: maxAge, path: "/", secure: true, httpOnly: true,
                sameSite: .strict))
    }
}

extension Hummingbird.Request {
    /// The browser's languages, best first, at most as many as a message may
    /// name. Their weights are ignored, because browsers send them in order.
    var acceptedLanguages: [String] {
        (headers[.acceptLanguage] ?? "").split(separator: ",", maxSplits: Languages.count).prefix(Languages.count)
            .compactMap { part in
                part.split(separator: ";").first.map { String($0.replacing(" ", with: "").replacing("-", with: "_")) }
            }
            .filter { Language.refusal(of: $0) == nil }
    }
}
