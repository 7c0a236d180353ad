// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreDomain

extension StoreService {
    /// The number of downloads of content that are under way.
    package var openContentStreams: Int { contentStreams.open }

    func content(_ call: ContentCall, _ message: StoreMessage) async throws -> ContentAnswer {
        let opened = try await OpeningContent(context)(
            TransactionIdentifier(call.transaction), version: call.version, on: message.device)
        let address = ContentAddress(opened, expires: now + ContentAddress.lifetime)
        return ContentAnswer(
            address: address.path(key: try await contentKeys(context).addresses),
            expires: address.expires.milliseconds, length: opened.content.bytes, checksum: opened.content.checksum,
            product: opened.content.productIdentifier.rawValue, version: opened.content.version)
    }

    /// Looks up the content at an address of a ``StoreAPI/ContentAnswer``, by
    /// the three parts of its path.
    ///
    /// - Throws: `StoreFailure`: `contentNotFound` also for an address that
    ///   the store hasn't signed, `contentAddressExpired`, `contentNotOwned`,
    ///   `unavailable`.
    package func content(identifier: String, expires: String, signature: String) async throws -> RequestedContent {
        do {
            try requireCurrentSchema()
            let keys = try await contentKeys(context)
            guard
                let address = ContentAddress(
                    identifier: identifier, expires: expires, signature: signature, key: keys.addresses)
            else { throw StoreFailure(.contentNotFound, "There is no content at this address.") }
            guard now < address.expires else {
                throw StoreFailure(.contentAddressExpired, "This address has expired: ask for a new one.")
            }
            let content = try await ReadingContent(context)(address.content, for: address.purchase)
            let hosting = try context.requireHosting()
            let redirect =
                hosting.redirects
                ? try await hosting.storage.address(of: content.object, until: address.expires) : nil
            return RequestedContent(content, redirect: redirect, self)
        } catch {
            throw failure(of: error, at: "content")
        }
    }

    /// Ends abandoned uploads, and removes bytes that no row names.
    func sweepContent() async {
        do {
            let swept = try await SweepingUploads(context)()
            guard !swept.isNothing else { return }
            logger.notice(
                "removed unused content",
                metadata: ["uploads": "\(swept.uploads)", "objects": "\(swept.objects)"])
        } catch {
            _ = failure(of: error, at: "removing unused content")
        }
    }
}
