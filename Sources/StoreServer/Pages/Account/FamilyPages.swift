// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

/// The page on which parents answer requests to buy.
struct FamilyPages {
    let common: CommonPages
    private let family: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        family = try common.templates.page(PackageResources.family_mustache)
    }

    /// The page of a parent's requests, with the failure of the last answer.
    /// `isSignedOut` removes the session cookie.
    func family(
        _ model: FamilyModel, failure: StoreFailure? = nil, cookie: String? = nil, isSignedOut: Bool = false,
        request: Hummingbird.Request
    ) -> Response {
        if let failure, request.wantsJSON { return failure.response() }
        var response =
            request.wantsJSON
            ? Response.json(FamilyPageAnswer(model)) : .page(family.render(model), status: failure?.status ?? .ok)
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        if let cookie { response.setSession(cookie) }
        if isSignedOut { response.setSession("", maxAge: 0) }
        return response
    }
}
