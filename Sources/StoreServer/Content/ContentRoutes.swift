// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// `/content/…`: the bytes of packed content, at addresses that the store has
/// signed. The right to them is looked up again for each request.
///
/// The body is sent in parts of at most 128 KiB. A part is written only after
/// the event loop has seen the one before the last, so that a slow connection
/// holds few of them.
struct ContentRoutes {
    let service: StoreService

    func add(to router: StoreRouter) {
        router.get("/content/:identifier/:expires/:signature") { try await answer($0, $1) }
        router.head("/content/:identifier/:expires/:signature") { try await answer($0, $1) }
    }

    private func answer(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        try request.refuseBody()
        let requested = try await service.content(
            identifier: try context.parameters.require("identifier"),
            expires: try context.parameters.require("expires"),
            signature: try context.parameters.require("signature"))
        let content = requested.content
        var response = Response(status: .ok, headers: Self.fields(of: content))
        if let status = Self.precondition(request.headers, content.tag) {
            response.status = status
            return response
        }
        let range = Self.range(of: request, content)
        if range != .unsatisfiable, let address = Self.redirect(for: request, requested) {
            requested.countRedirect()
            return Response(status: .found, headers: [.location: address, .cacheControl: "no-store"])
        }
        switch range {
        case .unsatisfiable:
            response.status = .rangeNotSatisfiable
            response.headers[.contentRange] = "bytes */\(content.bytes)"
            return response
        case .part(let range):
            response.status = .partialContent
            response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.bytes)"
            return try await send(range, of: requested, request, context, response)
        case .whole:
            return try await send(0..<content.bytes, of: requested, request, context, response)
        }
    }

    private static func fields(of content: HostedContent) -> HTTPFields {
        var fields: HTTPFields = [
            .contentType: "application/octet-stream", .acceptRanges: "bytes", .eTag: content.tag,
            .cacheControl: "private",
        ]
        // RFC 9530: the digest of the whole, also in an answer with a part.
        if let name = HTTPField.Name("Repr-Digest"), let digest = Data(hexadecimal: content.checksum) {
            fields[name] = "sha-256=:\(digest.base64EncodedString()):"
        }
        return fields
    }

    /// The status of a request whose precondition is false (RFC 9110, section
    /// 13); `nil` when the request is carried out.
    private static func precondition(_ fields: HTTPFields, _ tag: String) -> HTTPResponse.Status? {
        func names(_ field: HTTPField.Name) -> Bool? {
            fields[field].map { value in
                value == "*" || value.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == tag }
            }
        }
        if names(.ifMatch) == false { return .preconditionFailed }
        return names(.ifNoneMatch) == true ? .notModified : nil
    }

    /// The address of the storage for a request that the storage answers as
    /// the store does; `nil` for every other request. The storage signs for
    /// `GET`, and compares `If-Range` with an entity tag of its own: a part of
    /// another content is answered here, with the whole.
    private static func redirect(for request: Request, _ requested: RequestedContent) -> String? {
        let isOfOtherContent = request.headers[.ifRange].map { $0 != requested.content.tag } ?? false
        return request.method == .get && !isOfOtherContent ? requested.redirect : nil
    }

    /// Ranges are defined for `GET` only (RFC 9110, section 14.2).
    private static func range(of request: Request, _ content: HostedContent) -> ByteRange {
        guard request.method == .get else { return .whole }
        return ByteRange(
            range: request.headers[.range], ifRange: request.headers[.ifRange], tag: content.tag,
            length: content.bytes)
    }

    private func send(
        _ range: Range<Int64>, of requested: RequestedContent, _ request: Request, _ context: StoreRequestContext,
        _ response: Response
    ) async throws -> Response {
        var response = response
        response.headers[.contentLength] = String(range.count)
        guard request.method == .get else { return response }
        // Opened before the head is sent, so that a missing file is a 503.
        let stream = try await requested.open(range)
        response.body = ResponseBody(contentLength: range.count) { writer in
            // NIO's writer takes every part until the event loop has run and
            // has found the connection's buffer full. A busy event loop runs
            // late: without waiting for it, the parts would fill the memory.
            var seen: EventLoopFuture<Void>?
            while let bytes = try await stream.next() {
                try await seen?.get()
                try await writer.write(ByteBuffer(bytes: bytes))
                seen = context.eventLoop.submit {}
            }
            try await writer.finish(nil)
        }
        return response
    }
}

extension HostedContent {
    /// The strong entity tag of the packed object.
    fileprivate var tag: String { "\"\(checksum)\"" }
}

extension Request {
    /// Refuses a request with a body, which would stay in memory for as long
    /// as the content is sent.
    ///
    /// - Throws: `StoreFailure` `malformed`.
    fileprivate func refuseBody() throws {
        let length = headers[.contentLength] ?? "0"
        guard length == "0", headers[.transferEncoding] == nil else {
            throw StoreFailure(.malformed, "A request for content has no body.")
        }
    }
}
