// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Logging
import StoreDomain

/// The bytes of one download, which is counted until it is released.
package final class ContentStream: Sendable {
    private let reader: any ContentReader
    private let content: HostedContent
    private let service: StoreService

    init(_ reader: any ContentReader, of content: HostedContent, _ service: StoreService) {
        self.reader = reader
        self.content = content
        self.service = service
        service.contentStreams.begin()
    }

    deinit { service.contentStreams.end() }

    /// The next bytes, at most 128 KiB; `nil` at the end.
    ///
    /// - Throws: ``ContentStorageError``, after it was logged.
    package func next() async throws -> Data? {
        do {
            let bytes = try await reader.next()
            service.context.meters.countContentBytes(bytes?.count ?? 0)
            return bytes
        } catch let error as ContentStorageError {
            service.logger.error(
                "a content can't be read", metadata: ["object": "\(content.object)", "error": "\(error)"])
            throw error
        }
    }
}
