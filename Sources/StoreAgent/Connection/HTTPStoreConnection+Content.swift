// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import StoreAPI

extension HTTPStoreConnection {
    /// Requests bytes of a content (RFC 9110, section 14).
    ///
    /// A store with a bucket redirects to the bucket, whose `ETag` isn't the
    /// content's checksum, and which gets no `If-Range` therefore.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`, `CancellationError`.
    package func content(_ request: ContentRequest) async throws -> ContentPart {
        var location = try contentURL(request.address)
        var isStore = true
        do {
            for _ in 0...Self.redirectLimit {
                let response = try await get(location, request, isStore: isStore)
                guard (300..<400).contains(response.status.code) else {
                    return try await part(response, request, isStore: isStore)
                }
                location = try Self.redirect(of: response, from: location)
                isStore = false
            }
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw ConnectionFailure.network(error, sent: true, to: address.absoluteString)
        }
        throw StoreFailure(.unreadableAnswer, "The content's address redirects more than \(Self.redirectLimit) times.")
    }

    private static let redirectLimit = 3

    private func contentURL(_ path: String) throws -> URL {
        let base = address.absoluteString
        guard path.hasPrefix("/content/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
        else {
            throw StoreFailure(.unreadableAnswer, "The store has sent an address of content that isn't one.")
        }
        return url
    }

    private func get(_ url: URL, _ request: ContentRequest, isStore: Bool) async throws -> HTTPClientResponse {
        var message = HTTPClientRequest(url: url.absoluteString)
        message.headers.add(
            name: "Range", value: "bytes=\(request.range.lowerBound)-\(request.range.upperBound - 1)")
        if isStore { message.headers.add(name: "If-Range", value: "\"\(request.checksum)\"") }
        return try await client.execute(message, timeout: Self.headTime)
    }

    /// The address of a redirect: never from an encrypted connection to one
    /// that isn't.
    private static func redirect(of response: HTTPClientResponse, from url: URL) throws -> URL {
        guard let text = response.headers.first(name: "Location"), let target = URL(string: text, relativeTo: url),
            let scheme = target.scheme?.lowercased(), scheme == "https" || scheme == url.scheme?.lowercased(),
            scheme == "http" || scheme == "https"
        else {
            throw StoreFailure(.unreadableAnswer, "The content's address redirects to no address that can be used.")
        }
        return target.absoluteURL
    }

    private func part(
        _ response: HTTPClientResponse, _ request: ContentRequest, isStore: Bool
    ) async throws -> ContentPart {
        let offset: Int64
        switch response.status {
        case .ok: offset = 0
        case .partialContent: offset = try ContentRangeField.start(response.headers.first(name: "Content-Range"))
        default: throw try await failure(response)
        }
        let checksum = isStore ? response.headers.first(name: "ETag").map(Self.tag) : nil
        let reader = ResponseReader(response.body, address: address.absoluteString)
        return ContentPart(
            offset: offset, checksum: checksum, bytes: AsyncThrowingStream { try await reader.next() })
    }

    /// The text of an entity tag, without its quotes.
    private static func tag(_ field: String) -> String {
        String((field.hasPrefix("W/") ? field.dropFirst(2) : field[...]).drop { $0 == "\"" }.prefix { $0 != "\"" })
    }
}

/// The header field `Content-Range`.
enum ContentRangeField {
    /// The place of the first byte in `bytes 5-9/10`.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer`.
    static func start(_ field: String?) throws -> Int64 {
        let words = field?.split(separator: " ", maxSplits: 1) ?? []
        guard words.count == 2, words[0].lowercased() == "bytes",
            let start = words[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).first.flatMap({
                Int64($0)
            }), start >= 0
        else {
            throw StoreFailure(.unreadableAnswer, "The store has sent a part of content without its place.")
        }
        return start
    }
}

/// Reads the body of a content's response.
final class ResponseReader: @unchecked Sendable {  // because a stream has one consumer
    private var bytes: HTTPClientResponse.Body.AsyncIterator
    private let address: String

    init(_ body: HTTPClientResponse.Body, address: String) {
        bytes = body.makeAsyncIterator()
        self.address = address
    }

    func next() async throws -> Data? {
        try Task.checkCancellation()
        do {
            return try await bytes.next().map { Data($0.readableBytesView) }
        } catch {
            try Task.checkCancellation()
            throw ConnectionFailure.network(error, sent: true, to: address)
        }
    }
}
