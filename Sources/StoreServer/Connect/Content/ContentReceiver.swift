// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// Receives the package of a form of ``ContentPage``, of whose bytes a few are
/// in memory at a time.
struct ContentReceiver {
    let page: ContentPage
    let limits: RequestLimits
    let boundary: String

    /// Receives, checks and publishes the package. The connection gets a
    /// longer deadline.
    ///
    /// - Throws: `InvalidFields` for a package that can't be published;
    ///   `StoreFailure`: `unavailable`, `malformed`; the errors of
    ///   `HostingTeamContent`.
    func callAsFunction(
        _ request: Request, _ visit: ConnectVisit, on channel: any Channel
    ) async throws -> ConnectOutcome {
        let (service, user) = (visit.service, visit.user)
        let length = request.headers[.contentLength].flatMap(Int64.init) ?? 0
        let fields = Int64(ConnectForm.limit)
        let isTooLarge = length > ContentLimits.objectBytes + fields
        var package = try await service.incomingPackage(
            of: page.product, in: page.app, expecting: isTooLarge ? 0 : max(0, length - fields), by: user)
        if isTooLarge { throw InvalidFields.packageTooLarge }
        return try await limits.uploads.withPlace(of: user.team) {
            channel.triggerUserOutboundEvent(LongBody.begins, promise: nil)
            let form = try await read(request, into: &package, on: channel)
            try Self.requireUpload(form)
            _ = try await service.publish(&package, of: page.product, in: page.app, by: user)
            return .visit("\(ContentPage.path(page.product, of: page.app))?done=content")
        }
    }

    /// Reads the body: the package, and the fields beside it. A button before
    /// the package that isn't the page's is refused before the package is read.
    private func read(
        _ request: Request, into package: inout IncomingContent, on channel: any Channel
    ) async throws -> ConnectForm {
        var stream = MultipartStream(boundary: boundary)
        var form = ConnectForm()
        var parts = request.body.makeAsyncIterator()
        while let part = try await next(&parts) {
            let wasComplete = stream.isComplete
            let bytes = try stream.consume(Data(part.readableBytesView))
            form.fields = stream.fields
            if form.fields["decision"] != nil { try Self.requireUpload(form) }
            if !bytes.isEmpty { try await package.append(bytes) }
            if stream.isComplete, !wasComplete { channel.triggerUserOutboundEvent(LongBody.ends, promise: nil) }
        }
        guard stream.isComplete else { throw MultipartForm.malformed }
        return form
    }

    /// - Throws: `StoreFailure` `invalid` for another button than the page's.
    private static func requireUpload(_ form: ConnectForm) throws {
        guard form.decision == "upload" else { throw form.unknown }
    }

    private func next(_ parts: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await parts.next()
        } catch {
            throw BodyBudget.failure(of: error)
        }
    }
}
