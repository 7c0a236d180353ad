// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Mustache

/// Renders the app's pages from the templates in the bundle.
struct Pages: Sendable {
    struct Garden: Sendable {
        var title = "Flower Garden"
        /// The customer who is signed in.
        var name: String?
        var coins: Int
        var hasCoins: Bool
        var rows: [Row]
        var notice: String?
        /// Why purchases aren't delivered now.
        var failure: String?
        var isLoading: Bool
        var isEmpty: Bool
    }

    struct Content: Sendable {
        var title: String
        var name: String
        var text: String
    }

    struct Missing: Sendable {
        var title = "Not found"
        var message: String
    }

    private let library: MustacheLibrary

    init() throws {
        var library = MustacheLibrary()
        for name in ["garden", "content", "missing", "head", "foot", "row", "sign-in"] {
            let text = String(decoding: try Self.data("Templates/\(name).mustache"), as: UTF8.self)
            try library.register(text, named: name)
        }
        self.library = library
    }

    func garden(_ page: Garden) -> Response { response(page, "garden", .ok) }

    func content(_ page: Content) -> Response { response(page, "content", .ok) }

    func missing(_ message: String) -> Response { response(Missing(message: message), "missing", .notFound) }

    private func response(_ page: Any, _ template: String, _ status: HTTPResponse.Status) -> Response {
        guard let text = library.render(page, withTemplate: template) else {
            return Response(status: .internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A file of the app's bundle.
    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Resources/\(path)"))
    }
}
