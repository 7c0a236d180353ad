// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import ServiceLifecycle

/// The routes of the app's page.
struct AppRoutes: Sendable {
    let garden: GardenApp
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
        router.get("/") { _, _ in pages.page("garden", await garden.page) }
        router.get("/product/{name}") { _, context in
            guard let row = await garden.row(named: context.parameters.get("name") ?? ""),
                let text = await garden.text(of: row.identifier)
            else {
                let message = "This isn’t yours, or it isn’t on this device."
                return pages.page("missing", ["title": "Not found", "message": message], .notFound)
            }
            return pages.page("content", ["title": row.title, "name": row.name, "text": text])
        }
        router.get("/events") { _, _ in
            // The server stops when every response has ended, and this one has no end of its own.
            let frames = await garden.events.listen().cancelOnGracefulShutdown()
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody(asyncSequence: frames.map { ByteBuffer(string: $0) }))
        }
        router.get("/state.json") { _, _ in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Self.file(try encoder.encode(await garden.page), "application/json", cache: "no-store")
        }
    }

    private func addFiles(to router: Router<BasicRequestContext>) {
        let files = [
            ("/style.css", "Public/style.css", "text/css; charset=utf-8"),
            ("/script.js", "Public/script.js", "text/javascript; charset=utf-8"),
        ]
        for (path, file, type) in files {
            router.get(RouterPath(path)) { _, _ in Self.file(try Pages.data(file), type, cache: "no-cache") }
        }
        router.get("/icons/{name}") { _, context in
            let name = context.parameters.get("name") ?? ""
            // Only names of listed products reach the file system.
            let isListed = await garden.rows.contains { $0.name == name }
            let icon = isListed ? try? Pages.data("Icons/\(name).svg") : nil
            return Self.file(try icon ?? Pages.data("Icons/Flower.svg"), "image/svg+xml", cache: "max-age=600")
        }
    }

    private func addButtons(to router: Router<BasicRequestContext>) {
        post("/sign-in", router) {
            // A field named `action` would hide the form's own property from the page's script.
            await garden.signIn($0["name"] ?? "", $0["password"] ?? "", isNew: $0["command"] == "new")
        }
        post("/sign-out", router) { _ in await garden.signOut() }
        post("/get", router) { await garden.get($0["product"] ?? "") }
        post("/download", router) { await garden.download($0["product"] ?? "") }
        post("/discard", router) { await garden.discard($0["product"] ?? "") }
        post("/water", router) { _ in await garden.water() }
        post("/refresh", router) { _ in await garden.refresh() }
        post("/restore", router) { _ in await garden.restore() }
        post("/try-again", router) { _ in await garden.tryAgain() }
    }

    /// A button: its action with the form's fields, and then the page again.
    private func post(
        _ path: RouterPath, _ router: Router<BasicRequestContext>,
        _ action: @escaping @Sendable ([String: String]) async -> Void
    ) {
        router.post(path) { request, _ in
            var request = request
            let body = String(buffer: try await request.collectBody(upTo: 4096))
            guard let form = try? URLEncodedFormDecoder().decode([String: String].self, from: body) else {
                throw HTTPError(.badRequest, message: "The form can't be read.")
            }
            await action(form)
            return Response.redirect(to: "/", type: .normal)
        }
    }

    private static func file(_ data: Data, _ type: String, cache: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: cache],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
