// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

/// Where a store keeps hosted content, and how much.
struct ContentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where hosted content is kept. Default: content in the store's folder.", valueName: "folder"))
    var content: String?

    @Option(
        help: ArgumentHelp("How many bytes the content of one app may have, such as 500MB.", valueName: "bytes"))
    var contentQuota = ByteCount(bytes: ContentHosting.quota)

    /// Opens the store's own part of the folder.
    ///
    /// - Throws: An error of the database, which has the name of that part.
    func hosting(of context: StoreContext, in directory: StoreDirectory) async throws -> ContentHosting {
        let folder = content.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? directory.contentURL
        return try await hosting(of: context, inFolder: folder)
    }

    /// Opens the store's own part of another folder than the option's.
    func hosting(of context: StoreContext, inFolder folder: URL) async throws -> ContentHosting {
        let name = try await OpeningContentKeys(context)().storageName
        return ContentHosting(
            storage: FolderStorage(folder.appending(path: name, directoryHint: .isDirectory)),
            quota: contentQuota.bytes)
    }
}
