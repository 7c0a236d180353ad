// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreDomain
import StoreService

/// Receives a package of hosted content, of whose bytes a few are in memory at
/// a time.
struct PackageReceiver {
    let product: ProductIdentifier
    let app: BundleIdentifier
    let limits: RequestLimits

    /// Receives the package that is the body of a request, checks and
    /// publishes it.
    ///
    /// - Throws: The errors of
    ///   ``callAsFunction(_:for:by:besides:on:_:)``.
    func callAsFunction(
        _ request: Request, for service: StoreService, by user: TeamUser, on channel: any Channel
    ) async throws -> HostedContent {
        try await callAsFunction(request, for: service, by: user, besides: 0, on: channel) { incoming in
            var parts = request.body.makeAsyncIterator()
            while let part = try await Self.next(&parts) {
                try await incoming.append(Data(part.readableBytesView))
            }
        }
    }

    /// Receives a package with `read`, which takes it from the body of the
    /// request, checks and publishes it. The body has at most `fields` bytes
    /// besides it. The connection gets a longer deadline.
    ///
    /// - Throws: `InvalidFields` for a package that can't be published;
    ///   `StoreFailure`: `unavailable`, `malformed`; the errors of
    ///   `HostingTeamContent`, and of `read`.
    func callAsFunction(
        _ request: Request, for service: StoreService, by user: TeamUser, besides fields: Int64,
        on channel: any Channel, _ read: (inout IncomingContent) async throws -> Void
    ) async throws -> HostedContent {
        let length = request.headers[.contentLength].flatMap(Int64.init) ?? 0
        let isTooLarge = length > ContentLimits.objectBytes + fields
        var package = try await service.incomingPackage(
            of: product, in: app, expecting: isTooLarge ? 0 : max(0, length - fields), by: user)
        if isTooLarge { throw InvalidFields.packageTooLarge }
        return try await limits.uploads.withPlace(of: user) {
            channel.triggerUserOutboundEvent(LongBody.begins, promise: nil)
            try await read(&package)
            return try await service.publish(&package, of: product, in: app, by: user)
        }
    }

    /// The next part of a body.
    ///
    /// - Throws: `StoreFailure`: `unavailable`, `malformed`.
    static func next(_ parts: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await parts.next()
        } catch {
            throw BodyBudget.failure(of: error)
        }
    }
}
