// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The pages of a forgotten password and of the links in messages.
struct LinkPages {
    let common: CommonPages
    private let link: PageTemplate

    init(_ common: CommonPages) throws {
        self.common = common
        link = try common.templates.page(PackageResources.link_mustache)
    }

    func link(_ model: LinkModel, failure: StoreFailure? = nil) -> Response {
        .page(link.render(model), status: failure?.status ?? .ok)
    }
}

/// The values of the template for these pages, which have one form.
struct LinkModel: PageModel {
    let page: PageFrame
    let title: String
    let environment: String
    /// The address that the customer confirms.
    var address: String?
    var message: PageMessage?
    let form: SettingsForm

    init(_ language: PageLanguage, title: String, of service: StoreService, _ form: SettingsForm) {
        page = PageFrame(language)
        self.title = title
        environment = service.environment.rawValue
        self.form = form
    }
}
