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
            let form = try await read(request, into: &incoming)
            guard form.decision == "upload" else { throw form.unknown }
        }
        return .visit("\(ContentPage.path(page.product, of: page.app))?done=content")
    }

    /// Reads the body: the package, and the fields beside it.
    private func read(_ request: Request, into package: inout IncomingContent) async throws -> ConnectForm {
        var stream = MultipartStream(boundary: boundary)
        var parts = request.body.makeAsyncIterator()
        while let part = try await PackageReceiver.next(&parts) {
            let bytes = try stream.consume(Data(part.readableBytesView))
            if !bytes.isEmpty { try await package.append(bytes) }
        }
        guard stream.isComplete else { throw MultipartForm.malformed }
        var form = ConnectForm()
        form.fields = stream.fields
        return form
    }
}
