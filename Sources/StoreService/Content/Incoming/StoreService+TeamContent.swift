// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
package import StoreDomain

/// The hosted content of teams in Connect.
extension StoreService {
    /// Whether the store has a storage for content.
    package var hostsContent: Bool { context.hosting != nil }

    /// The use cases that read the content of a team's products.
    package var contentReader: HostingTeamContent { HostingTeamContent(context) }

    /// The use cases that change the content of a team's products.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func hostingTeamContent() throws -> HostingTeamContent {
        try requireCurrentSchema()
        return HostingTeamContent(context)
    }

    /// Begins to receive a package of about `bytes` bytes.
    ///
    /// - Throws: The errors of `HostingTeamContent.requireRoom`, and
    ///   `InvalidFields` when there is no room.
    package func incomingPackage(
        of product: ProductIdentifier, in app: BundleIdentifier, expecting bytes: Int64, by user: TeamUser
    ) async throws -> IncomingContent {
        do {
            try await hostingTeamContent().requireRoom(for: bytes, of: product, in: app, by: user)
            let folder = try context.requireHosting().incoming ?? FileManager.default.temporaryDirectory.path
            let name = "package-\(context.random.hexadecimal(bytes: 16))"
            return IncomingContent(
                of: product, file: try await IncomingFile(in: folder, name: name, expecting: bytes), logger: logger)
        } catch let error as DomainError where error.code == .quotaExceeded {
            throw InvalidFields.problem(ofPackage: error) ?? error
        } catch let error as ContentStorageError where error.code == .full {
            throw refused(error)
        }
    }

    /// Uploads a package that has arrived, and publishes it, by the use cases
    /// of `storectl content upload`.
    ///
    /// Two users who send the same package continue one upload, and both get
    /// the version that it has become. Of two packages with one version and
    /// other bytes, the one that is complete first is published.
    ///
    /// - Throws: `InvalidFields` for a package that can't be published; the
    ///   errors of `HostingTeamContent.requireRoom` and
    ///   `HostingTeamContent.publish`, after which nothing is left of it.
    package func publish(
        _ package: inout IncomingContent, of product: ProductIdentifier, in app: BundleIdentifier, by user: TeamUser
    ) async throws -> HostedContent {
        let checked = try await package.finish()
        let call = Control.BeginUploadCall(
            bundle: app.rawValue, product: product.rawValue, version: checked.version, bytes: checked.bytes,
            checksum: checked.checksum)
        do {
            var (failures, received) = (0, Int64(-1))
            while true {
                // A user who has lost the right meanwhile begins nothing.
                try await hostingTeamContent().requireRoom(for: 0, of: product, in: app, by: user)
                let begun = try await Control.UploadAnswer(beginning: call, in: context)
                guard let upload = begun.upload else {
                    return try await contentReader.published(checked.version, of: product, in: app)
                }
                failures = begun.received > received ? 0 : failures + 1
                received = begun.received
                do {
                    try await send(package, to: begun, of: checked.bytes)
                    return try await hostingTeamContent().publish(
                        UploadIdentifier(upload), of: product, in: app, by: user, check: PackageInspector.check)
                } catch let error as DomainError
                    where Self.isRaced(error) && failures < Self.mostFailures
                {
                    // Another user sends the same package, or has published it.
                    continue
                }
            }
        } catch let error as ContentStorageError where error.code == .full {
            try? await abandon(call)
            throw refused(error)
        } catch {
            throw InvalidFields.problem(ofPackage: error) ?? error
        }
    }

    /// The attempts to continue an upload that may fail one after another.
    private static let mostFailures = 10

    private static func isRaced(_ error: DomainError) -> Bool { [.otherOffset, .notFound].contains(error.code) }

    private func send(
        _ package: IncomingContent, to begun: Control.UploadAnswer, of bytes: Int64
    ) async throws {
        var answer = begun
        while answer.received < bytes {
            let part = try await package.read(answer.partBytes, at: answer.received)
            try await package.requireRoom(for: part.count)
            answer = try await Control.UploadAnswer(
                receiving: part, of: begun.upload ?? "", at: answer.received, in: context)
        }
    }

    /// Removes the parts of an upload that a full storage has ended: the
    /// browser sends all bytes again.
    private func abandon(_ call: Control.BeginUploadCall) async throws {
        let begun = try await Control.UploadAnswer(beginning: call, in: context)
        if let upload = begun.upload { try await ReceivingUpload(context).abandon(UploadIdentifier(upload)) }
    }

    /// The problem of a full storage, which is logged.
    private func refused(_ error: ContentStorageError) -> InvalidFields {
        logger.error("storage of content out of order", metadata: ["place": "connect", "error": "\(error)"])
        return .package(.diskFull)
    }
}
