// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI

/// The pages of Connect.
struct ConsolePages {
    let common: CommonPages
    private let console: PageTemplate
    private let list: PageTemplate

    /// The parts of pages, by the names that templates have for them.
    static let parts = [
        "console-section": PackageResources.console_section_mustache,
        "console-entries": PackageResources.console_entries_mustache,
        "console-form": PackageResources.console_form_mustache,
    ]

    init(_ common: CommonPages) throws {
        self.common = common
        console = try common.templates.page(PackageResources.console_mustache, including: Self.parts)
        list = try common.templates.page(PackageResources.console_list_mustache, including: Self.parts)
    }

    func add(to router: StoreRouter) {
        router.get("/pages/connect.css") { _, _ in
            Response.file(PackageResources.connect_css, type: "text/css; charset=utf-8")
        }
        router.get("/pages/connect-upload.js") { _, _ in
            Response.file(PackageResources.connect_upload_js, type: "text/javascript; charset=utf-8")
        }
    }

    /// The entries of a page, as HTML for its script.
    func list(_ model: ConsoleModel) -> String { list.render(model) }

    func page(_ model: ConsoleModel, failure: StoreFailure? = nil) -> Response {
        var response = Response.page(
            console.render(model), status: failure?.status ?? .ok,
            withImages: model.sections.contains(where: \.hasImages))
        response.headers[.retryAfter] = failure?.retryAfter.map(String.init)
        return response
    }
}
