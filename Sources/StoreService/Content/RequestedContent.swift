// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The content of a request of its bytes.
package struct RequestedContent: Sendable {
    /// The version, which the account owns at the moment.
    package let content: HostedContent
    /// An address of the storage itself, to which the client is redirected;
    /// `nil` when the store sends the bytes.
    package let redirect: String?
    private let service: StoreService

    init(_ content: HostedContent, redirect: String?, _ service: StoreService) {
        self.content = content
        self.redirect = redirect
        self.service = service
    }

    /// Counts a request that is answered with ``redirect``.
    package func countRedirect() {
        service.context.meters.countContentRedirect()
    }

    /// Opens some of the bytes.
    ///
    /// - Throws: `StoreFailure` `unavailable` when the storage can't be read.
    package func open(_ range: Range<Int64>) async throws -> ContentStream {
        do {
            let reader = try await service.context.requireHosting().storage.read(content.object, range)
            return ContentStream(reader, of: content, service)
        } catch {
            throw service.failure(of: error, at: "content")
        }
    }
}
