// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import StoreDomain

extension Response {
    /// A page of the store, which no cache keeps and no other site frames. A
    /// page `withImages` shows those of the store.
    static func page(_ text: String, status: HTTPResponse.Status = .ok, withImages: Bool = false) -> Response {
        page(
            text, status: status, caching: "no-store",
            policy: "default-src 'none'; \(withImages ? "img-src 'self'; " : "")style-src 'self'; script-src 'self'; "
                + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
    }

    /// A page that is the same for all visitors, which caches keep for a
    /// minute. It has images, and no script.
    static func publicPage(_ text: String) -> Response {
        page(text, status: .ok, caching: "public, max-age=60", policy: policyWithImages)
    }

    /// A page like a public one, which no cache keeps.
    static func pageWithImages(_ text: String) -> Response {
        page(text, status: .ok, caching: "no-store", policy: policyWithImages)
    }

    private static let policyWithImages =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; "
        + "base-uri 'none'"

    /// An image of a public page. Its address is that of its bytes.
    static func image(_ bytes: some Collection<UInt8>, type: String) -> Response {
        isolated(bytes, type: type, caching: "public, max-age=31536000, immutable")
    }

    /// A file that a user or an operator has provided. A browser takes it as
    /// the type that it has, and lets it load nothing.
    static func isolated(
        _ bytes: some Collection<UInt8>, type: String, caching: String = "no-store"
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: caching, .contentSecurityPolicy: "default-src 'none'",
        ]
        if let name = HTTPField.Name("X-Content-Type-Options") { headers[name] = "nosniff" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Sends a visitor to the address of this visitor's page, which no cache
    /// keeps for others.
    static func visit(_ path: String, status: HTTPResponse.Status = .found) -> Response {
        Response(status: status, headers: [.location: path, .cacheControl: "no-store"])
    }

    private static func page(
        _ text: String, status: HTTPResponse.Status, caching: String, policy: String
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: caching, .contentSecurityPolicy: policy,
        ]
        // The page's address is enough to cancel the sheet: other sites must
        // not receive it as the referrer.
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A style or a script of a page.
    static func file(_ bytes: [UInt8], type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "max-age=300"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Sets the session cookie, with which the browser confirms sheets
    /// without the password for a while.
    mutating func setSession(_ token: String, maxAge: Int = Int(BrowserSession.lifetime.components.seconds)) {
        setCookie(
            Cookie(
                name: CustomerAuthentication.cookieName, value: token, maxAge: maxAge, path: "/", secure: true,
                httpOnly: true, sameSite: .strict))
    }
}
