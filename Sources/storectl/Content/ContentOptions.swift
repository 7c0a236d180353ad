// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreBucket
import StoreDomain
import StoreService

/// Where a store keeps hosted content, and how much.
struct ContentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Where hosted content is kept: a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME, whose keys are in \
            OPENSTOREKIT_BUCKET_ACCESS_KEY and OPENSTOREKIT_BUCKET_SECRET_KEY. Default: content in the store's folder.
            """, valueName: "folder-or-bucket"), transform: ContentPlace.parse)
    var content: ContentPlace?

    @Option(
        help: ArgumentHelp("How many bytes the content of one app may have, such as 500MB.", valueName: "bytes"))
    var contentQuota = ByteCount(bytes: ContentHosting.quota)

    /// Opens the store's own part of the folder or the bucket.
    ///
    /// - Throws: An error of the database, which has the name of that part;
    ///   `BucketSettingError`.
    func hosting(of context: StoreContext, in directory: StoreDirectory) async throws -> ContentHosting {
        switch content {
        case .bucket(let address): try await hosting(of: context, in: address, directory)
        case .folder(let folder): try await hosting(of: context, inFolder: folder)
        case nil: try await hosting(of: context, inFolder: directory.contentURL)
        }
    }

    private func hosting(
        of context: StoreContext, in address: BucketAddress, _ directory: StoreDirectory
    ) async throws -> ContentHosting {
        let environment = ProcessInfo.processInfo.environment
        let credentials = try BucketCredentials(environment: environment)
        let name = try await OpeningContentKeys(context)().storageName
        var hosting = ContentHosting(
            storage: try BucketStorage(
                address, store: name, credentials: credentials, environment: environment,
                clock: SystemDependencies.clock, count: { [meters = context.meters] in meters.count($0) }),
            quota: contentQuota.bytes)
        hosting.incoming = directory.incomingURL.path
        return hosting
    }

    /// Opens the store's own part of another folder than the option's.
    func hosting(of context: StoreContext, inFolder folder: URL) async throws -> ContentHosting {
        let name = try await OpeningContentKeys(context)().storageName
        let part = folder.appending(path: name, directoryHint: .isDirectory)
        var hosting = ContentHosting(storage: FolderStorage(part), quota: contentQuota.bytes)
        hosting.incoming = part.appending(path: "incoming", directoryHint: .isDirectory).path
        return hosting
    }
}
