// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// Receives the package of a form of ``ContentPage``.
struct ContentReceiver {
    let page: ContentPage
    let limits: RequestLimits
    let boundary: String

    /// Receives, checks and publishes the package.
    ///
    /// - Throws: The errors of ``PackageReceiver``.
    func callAsFunction(
        _ request: Request, _ visit: ConnectVisit, on channel: any Channel
    ) async throws -> ConnectOutcome {
        let receiver = PackageReceiver(product: page.product, app: page.app, limits: limits)
        _ = try await receiver(
            request, for: visit.service, by: visit.user, besides: Int64(ConnectForm.limit), on: channel
        ) { incoming in
            let form = try await read(request, into: &incoming, on: channel)
            try Self.requireUpload(form)
        }
        return .visit("\(ContentPage.path(page.product, of: page.app))?done=content")
    }

    /// Reads the body: the package, and the fields beside it. A button before
    /// the package that isn't the page's is refused before the package is read.
    private func read(
        _ request: Request, into package: inout IncomingContent, on channel: any Channel
    ) async throws -> ConnectForm {
        var stream = MultipartStream(boundary: boundary)
        var form = ConnectForm()
        var parts = request.body.makeAsyncIterator()
        while let part = try await PackageReceiver.next(&parts) {
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
}
