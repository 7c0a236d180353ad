// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

/// The pages of a customer's account.
struct AccountPages {
    let common: CommonPages
    private let subscriptions: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        subscriptions = try common.templates.page(PackageResources.subscriptions_mustache)
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
}
