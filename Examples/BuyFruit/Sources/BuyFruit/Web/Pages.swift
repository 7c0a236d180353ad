// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Mustache

/// Renders the app's pages from the templates in the bundle.
struct Pages: Sendable {
    struct List: Sendable {
        var title = "Buy Fruits"
        var fruits: [Row]
        /// The plans of the subscription; `nil` when the store sells none.
        var basket: Basket?
        var isLoading: Bool
        var isEmpty: Bool
        var hasFailed: Bool
        var cannotPay: Bool
        var more: [More]
    }

    /// Another item of the same shop.
    struct More: Sendable {
        var title: String
        var detail: String
        var item: Int
    }

    /// The subscription to a basket of fruit.
    struct Basket: Sendable {
        var plans: [Row]
        var status: Status
    }

    /// A sentence about the customer's subscription.
    struct Status: Sendable {
        var text: String
        /// The address of the page on which renewal is turned off.
        var manage: String
    }

    struct Detail: Sendable {
        var title: String
        /// The fruit whose page the Buy button's form leads back to.
        var page: String
        var row: Row
        var picture: String?
        /// The customer's subscription, on the page of a plan.
        var status: Status?
        /// The recipes of a downloaded book.
        var recipes: [Recipe] = []
    }

    struct Missing: Sendable {
        var title = "Not found"
        var message: String
    }

    /// The file of a page that leads to the newest payment sheet, which `make run` writes; `nil` where a browser opens.
    private static let sheet = ProcessInfo.processInfo.environment["BUYFRUIT_SHEET"]

    private let library: MustacheLibrary

    init() throws {
        var library = MustacheLibrary()
        for name in ["list", "row", "detail", "missing", "head", "foot", "action", "status", "download"] {
            let text = String(decoding: try Resource.data("Templates/\(name).mustache"), as: UTF8.self)
            try library.register(text, named: name)
        }
        // On a machine without a desktop no program opens the payment sheet.
        let sheet =
            Self.sheet == nil ? "" : String(decoding: try Resource.data("Templates/sheet.mustache"), as: UTF8.self)
        try library.register(sheet, named: "sheet")
        self.library = library
    }

    func list(_ page: List) -> Response { response(page, "list", .ok) }

    func detail(_ page: Detail) -> Response { response(page, "detail", .ok) }

    /// The page that leads to the newest payment sheet.
    func newestSheet() -> Response {
        guard let text = Self.sheet.flatMap({ try? String(contentsOfFile: $0, encoding: .utf8) }) else {
            return missing("No payment sheet is open. Press Buy first.")
        }
        return .text(text, type: "text/html; charset=utf-8")
    }

    func missing(_ message: String) -> Response { response(Missing(message: message), "missing", .notFound) }

    private func response(_ page: Any, _ template: String, _ status: HTTPResponse.Status) -> Response {
        guard let text = library.render(page, withTemplate: template) else {
            return Response(status: .internalServerError)
        }
        return .text(text, type: "text/html; charset=utf-8", status: status)
    }
}

extension Response {
    static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static func file(_ data: Data, type: String, cache: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: cache],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
