// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import StoreAPI

extension HTTPStoreConnection {
    /// Requests a file of a seller's server (RFC 9110, sections 13.1.5 and
    /// 14). The fields of the app are sent to its address' origin only.
    ///
    /// - Throws: ``BackgroundFileFailure`` with the reasons `redirect` and
    ///   `answer`, `ConnectionFailure`, `CancellationError`.
    package func file(_ request: FileRequest) async throws -> FilePart {
        var location = request.address
        do {
            for _ in 0...Self.fileRedirectLimit {
                let response = try await get(location, request)
                guard [301, 302, 303, 307, 308].contains(response.status.code) else {
                    return try Self.part(response, of: location)
                }
                location = try Self.target(of: response, from: location)
            }
        } catch let failure as BackgroundFileFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw ConnectionFailure.network(error, sent: true, to: Origin(location).description)
        }
        throw BackgroundFileFailure(
            .redirect, "The address redirects more than \(Self.fileRedirectLimit) times. Correct the server.")
    }

    private static let fileRedirectLimit = 5

    private func get(_ url: URL, _ request: FileRequest) async throws -> HTTPClientResponse {
        var message = HTTPClientRequest(url: url.absoluteString)
        if Origin(url) == Origin(request.address) {
            for (name, value) in request.fields.sorted(by: { $0.key < $1.key }) {
                message.headers.add(name: name, value: value)
            }
        }
        // A range is one of the bytes that are stored.
        message.headers.add(name: "Accept-Encoding", value: "identity")
        if request.offset > 0, let tag = request.tag {
            message.headers.add(name: "Range", value: "bytes=\(request.offset)-")
            message.headers.add(name: "If-Range", value: tag)
        }
        return try await client.execute(message, timeout: Self.headTime)
    }

    private static func target(of response: HTTPClientResponse, from url: URL) throws -> URL {
        guard let text = response.headers.first(name: "Location"), text.utf8.count <= 8000,
            let target = URL(string: text, relativeTo: url)?.absoluteURL, BackgroundFileRequest.isAllowed(target),
            target.scheme?.lowercased() == "https" || url.scheme?.lowercased() == "http"
        else {
            throw BackgroundFileFailure(
                .redirect, "The address redirects to one that isn't of https. Correct the server.")
        }
        return target
    }

    private static func part(_ response: HTTPClientResponse, of url: URL) throws -> FilePart {
        let reader = ResponseReader(response.body, address: Origin(url).description)
        var part = FilePart(
            status: Int(response.status.code), bytes: AsyncThrowingStream { try await reader.next() })
        part.retryAfter = response.headers.first(name: "Retry-After").flatMap(RetryAfter.seconds(inHeader:))
        part.tag = response.headers.first(name: "ETag").flatMap(strongTag)
        switch response.status {
        case .ok:
            part.length = response.headers.first(name: "Content-Length").flatMap { Int64($0) }
            guard ["", "identity"].contains(response.headers.first(name: "Content-Encoding")?.lowercased() ?? "") else {
                throw BackgroundFileFailure(
                    .answer, "The server sends the file in a Content-Encoding. Let it send the bytes as they are.")
            }
        case .partialContent:
            let field = response.headers.first(name: "Content-Range")
            guard let start = try? ContentRangeField.start(field) else {
                throw BackgroundFileFailure(.answer, "The server sends a part without its place (Content-Range).")
            }
            part.offset = start
            part.length = field?.split(separator: "/").last.flatMap { Int64($0) }
        default: break
        }
        return part
    }

    private static func strongTag(_ field: String) -> String? {
        let isStrong = field.hasPrefix("\"") && field.hasSuffix("\"") && (2...512).contains(field.utf8.count)
        return isStrong && field.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? field : nil
    }
}

/// The origin of an address (RFC 6454).
private struct Origin: Hashable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    var description: String { "\(scheme)://\(host):\(port)" }
}
