// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI

/// The page of a result or a failure, with which each group of pages ends, and
/// the style of all pages.
struct CommonPages {
    let templates: PageTemplates
    private let result: PageTemplate

    init() throws {
        templates = try PageTemplates()
        result = try templates.page(PackageResources.result_mustache)
    }

    func add(to router: StoreRouter) {
        router.get("/pages/page.css") { _, _ in
            Response.file(PackageResources.page_css, type: "text/css; charset=utf-8")
        }
    }

    func result(_ model: ResultModel, status: HTTPResponse.Status = .ok) -> Response {
        .page(result.render(model), status: status)
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
        var response = result(
            ResultModel(title: title, message: failure.message, isGood: false), status: failure.status)
        response.headers[.retryAfter] = failure.retryAfter.map(String.init)
        return response
    }
}

/// The values of the template for a result.
struct ResultModel {
    var title: String
    var message: String
    var isGood: Bool
}
