// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import StoreDomain

extension Response {
    /// A page of the store, which no cache keeps and no other site frames.
    static func page(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
            .contentSecurityPolicy:
                "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'",
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
