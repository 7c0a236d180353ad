// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain
import StoreService

/// The first page of a store (`/`), and the addresses that lead to the first
/// page of a part: a person who shortens an address finds a page there.
struct FrontRoutes {
    let service: StoreService
    let common: CommonPages
    /// Whether the store has the remote control.
    let hasControl: Bool
    private let front: PageTemplate

    init(_ service: StoreService, _ common: CommonPages, hasControl: Bool) throws {
        self.service = service
        self.common = common
        self.hasControl = hasControl
        front = try common.templates.page(PackageResources.front_mustache)
    }

    func add(to router: StoreRouter) {
        router.get("/") { request, _ in show(request) }
        router.get("/account") { _, _ in Response.visit(AccountPlace.purchases.rawValue) }
        router.get("/openapi") { _, _ in Response.visit("/") }
    }

    private func show(_ request: Request) -> Response {
        .page(
            front.render(
                FrontModel(
                    PageLanguage(request), environment: service.environment.rawValue,
                    descriptions: OpenAPIRoutes(hasControl: hasControl).paths)))
    }
}

/// The values of the first page.
struct FrontModel: PageModel {
    struct Link {
        let address: String
        let name: String
        let detail: String
    }

    struct Group {
        let name: String
        let links: [Link]
    }

    let page: PageFrame
    let title = "OpenStoreKit"
    let words: FrontWords
    let environment: String
    let groups: [Group]

    init(_ language: PageLanguage, environment: String, descriptions: [String]) {
        page = PageFrame(language)
        let words = FrontWords.words(language)
        self.words = words
        self.environment = environment
        groups = [
            Group(
                name: words.customers,
                links: [
                    Link(
                        address: AccountPlace.purchases.rawValue, name: words.account, detail: words.accountDetail)
                ]),
            Group(
                name: words.sellers,
                links: [Link(address: "/connect", name: words.connect, detail: words.connectDetail)]),
            Group(
                name: words.programs,
                links: descriptions.map { Link(address: $0, name: $0, detail: words.descriptionDetail) }),
        ]
    }
}
