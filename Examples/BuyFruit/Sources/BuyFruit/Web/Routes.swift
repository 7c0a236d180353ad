// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreKit

/// The app's routes.
struct Routes: Sendable {
    let shop: Shop
    let pages: Pages

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: OwnPagesOnly())
        addPages(to: router)
        addFiles(to: router)
        addButtons(to: router)
        return router
    }

    private func addPages(to router: Router<BasicRequestContext>) {
        router.get("/") { _, _ in
            pages.list(await shop.listPage)
        }
        router.get("/fruit/{name}") { _, context in
            let name = context.parameters.get("name") ?? ""
            guard let page = await shop.detailPage(name) else {
                return pages.missing("There is no such fruit, or the store can't be reached.")
            }
            return pages.detail(page)
        }
        router.get("/sheet") { _, _ in pages.newestSheet() }
        router.get("/events") { _, _ in await shop.events.response() }
        router.get("/state.json") { _, _ in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(await shop.state)
            return Response.file(data, type: "application/json", cache: "no-store")
        }
    }

    private func addFiles(to router: Router<BasicRequestContext>) {
        let files = [
            ("/style.css", "Public/style.css", "text/css; charset=utf-8"),
            ("/script.js", "Public/script.js", "text/javascript; charset=utf-8"),
        ]
        for (path, file, type) in files {
            router.get(RouterPath(path)) { _, _ in
                Response.file(try Resource.data(file), type: type, cache: "no-cache")
            }
        }
        router.get("/icons/{name}") { _, context in
            let name = context.parameters.get("name") ?? ""
            // Only names of the app's own products reach the file system.
            guard await shop.names.contains(name), let icon = try? Resource.data("Icons/\(name).svg") else {
                return Response.file(try Resource.data("Icons/Fruit.svg"), type: "image/svg+xml", cache: "max-age=600")
            }
            return Response.file(icon, type: "image/svg+xml", cache: "max-age=600")
        }
        router.get("/fruit/{name}/picture") { _, context in
            let name = context.parameters.get("name") ?? ""
            guard let row = await shop.row(named: name), let picture = await shop.picture(of: row.identifier) else {
                return pages.missing("This picture comes with a fruit that isn't purchased.")
            }
            return Response.file(
                try Resource.data("Pictures/\(picture).svg"), type: "image/svg+xml", cache: "no-store")
        }
    }

    private func addButtons(to router: Router<BasicRequestContext>) {
        router.post("/buy") { request, _ in
            let form = try await Form(request)
            guard await shop.buy(form.product ?? "") else {
                return Response.text(
                    "There is no such product to buy.\n", type: "text/plain; charset=utf-8", status: .notFound)
            }
            return form.back
        }
        router.post("/download") { request, _ in
            let form = try await Form(request)
            guard let action = form.command.flatMap(DownloadAction.init) else {
                throw HTTPError(.badRequest, message: "There is no such action.")
            }
            await shop.act(action, onDownloadOf: form.product ?? "")
            return form.back
        }
        router.post("/more") { request, _ in
            let form = try await Form(request)
            guard await shop.show(form.item.flatMap { Int($0) }) else {
                return Response.text(
                    "There is no such item.\n", type: "text/plain; charset=utf-8", status: .notFound)
            }
            return form.back
        }
        router.post("/restore") { request, _ in
            let form = try await Form(request)
            await shop.restore()
            return form.back
        }
        router.post("/refresh") { request, _ in
            let form = try await Form(request)
            await shop.refresh()
            return form.back
        }
    }
}

/// The fields that the pages' forms send.
private struct Form: Decodable {
    var product: String?
    /// The action on a download. A field named `action` would hide the form's
    /// own property from the page's script.
    var command: String?
    /// The number of an item of the shop.
    var item: String?
    /// The name of the fruit whose page the form is on.
    var page: String?

    init(_ request: Request) async throws {
        var request = request
        let body = try await request.collectBody(upTo: 4096)
        do {
            self = try URLEncodedFormDecoder().decode(Form.self, from: String(buffer: body))
        } catch {
            throw HTTPError(.badRequest, message: "The form can't be read.")
        }
    }

    /// A redirect to the page that the form is on.
    var back: Response {
        let name = (page ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return .redirect(to: name.isEmpty ? "/" : "/fruit/\(name)", type: .normal)
    }
}

extension Shop {
    fileprivate var listPage: Pages.List {
        let rows = rows
        let plans = rows.filter(\.isSubscription)
        return Pages.List(
            fruits: rows.filter { !$0.isSubscription },
            basket: plans.isEmpty ? nil : Pages.Basket(plans: plans, status: basketStatus), isLoading: isLoading,
            isEmpty: rows.isEmpty && !isLoading && !hasFailed,
            hasFailed: hasFailed && !isLoading, cannotPay: !SKPaymentQueue.canMakePayments(),
            more: more.map { Pages.More(title: $0.title, detail: $0.detail, item: $0.item) })
    }

    fileprivate func detailPage(_ name: String) -> Pages.Detail? {
        guard let row = row(named: name) else { return nil }
        return Pages.Detail(
            title: row.title, page: row.name, row: row,
            picture: picture(of: row.identifier) == nil ? nil : "/fruit/\(row.name)/picture",
            status: row.isSubscription ? basketStatus : nil, recipes: recipes(of: row.identifier))
    }

    private var basketStatus: Pages.Status {
        let text =
            switch subscription {
            case .some(let one) where one.isPaid: "Your basket is paid until \(one.endText)."
            case .some(let one): "Your basket ended on \(one.endText)."
            case nil: "A basket of fruit every month. It renews until you turn renewal off."
            }
        return Pages.Status(text: text, manage: Self.subscriptionsPage)
    }

    /// The store's page of subscriptions: on Linux it has the place of
    /// `https://apps.apple.com/account/subscriptions`.
    private static let subscriptionsPage: String = {
        let store = ProcessInfo.processInfo.environment["STOREKIT_STORE_URL"] ?? ""
        return URL(string: store)?.appendingPathComponent("account/subscriptions").absoluteString
            ?? "https://apps.apple.com/account/subscriptions"
    }()
}
