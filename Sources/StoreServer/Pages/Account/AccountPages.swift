// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

/// The pages of a customer's account.
struct AccountPages {
    let common: CommonPages
    private let subscriptions: PageTemplate
    private let settings: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        subscriptions = try common.templates.page(PackageResources.subscriptions_mustache)
        settings = try common.templates.page(PackageResources.settings_mustache)
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
            : .page(subscriptions.render(model), status: failure?.status ?? .ok)
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        if let cookie { response.setSession(cookie) }
        if isSignedOut { response.setSession("", maxAge: 0) }
        return response
    }

    /// A page of the account's settings, with the failure of the last answer.
    /// A script gets the values of `contents`. `isSignedOut` removes the
    /// session cookie.
    func settings(
        _ model: SettingsModel, _ contents: SettingsContents? = nil, failure: StoreFailure? = nil,
        cookie: String? = nil, isSignedOut: Bool = false, request: Hummingbird.Request
    ) -> Response {
        var response: Response
        if request.wantsJSON {
            let values: any Encodable & Sendable = contents?.json ?? EmptyAnswer()
            response = failure?.response() ?? Response.json(values)
        } else {
            response = .page(settings.render(model), status: failure?.status ?? .ok)
        }
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        if let cookie { response.setSession(cookie) }
        if isSignedOut { response.setSession("", maxAge: 0) }
        return response
    }
}
