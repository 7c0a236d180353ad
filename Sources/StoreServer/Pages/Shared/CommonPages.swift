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

    /// The page of a failure. `language` is that of the account, if it is
    /// known.
    func failure(
        _ failure: StoreFailure, in language: PageLanguage? = nil, request: Hummingbird.Request
    ) -> Response {
        if request.wantsJSON { return failure.response() }
        let language = language ?? PageLanguage(request)
        let message = PageMessage(failure, in: language)
        var response = result(
            ResultModel(
                language, title: FailureWords.words(language).title(failure.code), message: message.text,
                detail: message.original, isGood: false),
            status: failure.status)
        response.headers[.retryAfter] = failure.retryAfter.map(String.init)
        return response
    }
}

/// The values of the template for a result.
struct ResultModel: PageModel {
    let page: PageFrame
    var title: String
    var message: String
    /// More about a failure, in English; `nil` when `message` has it.
    var detail: String?
    var isGood: Bool
    /// The seller's address of an item that was bought; `nil` for every other
    /// result.
    var link: PageLink?

    init(_ language: PageLanguage, title: String, message: String, detail: String? = nil, isGood: Bool) {
        page = PageFrame(language)
        self.title = title
        self.message = message
        self.detail = detail
        self.isGood = isGood
    }
}
