// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Mustache

/// Renders the app's pages from the templates in the bundle.
struct Pages: Sendable {
    private static let resources = Bundle.module.bundleURL.appendingPathComponent("Resources")

    private let library: MustacheLibrary

    init() async throws {
        library = try await MustacheLibrary(directory: Self.resources.appendingPathComponent("Templates").path)
    }

    /// A page with the values that its template names.
    func page(_ template: String, _ values: Any, _ status: HTTPResponse.Status = .ok) -> Response {
        guard let text = library.render(values, withTemplate: template) else {
            return Response(status: .internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A file of the app's bundle.
    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: resources.appendingPathComponent(path))
    }
}
