// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages with files of an app.
extension ConnectRoutes {
    func addFiles(to router: StoreRouter) {
        add("apps/:app/file", to: router) { AppFilePage(app: try Self.app($0)) }
        addDownload("apps/:app/file/download", to: router) { AppFileDownload(app: try Self.app($0)) }
        add("apps/:app/table", to: router) { AppTablePage(app: try Self.app($0)) }
        addDownload("apps/:app/table/download", to: router) { AppTableDownload(app: try Self.app($0)) }
    }

    /// Adds a file at a path behind `/connect/`.
    func addDownload<Download: ConnectDownload>(
        _ path: String, to router: StoreRouter,
        _ download: @escaping @Sendable (StoreRequestContext) throws -> Download
    ) {
        addAnswer(path, to: router) { request, context in
            let download = try download(context)
            return await signedIn(request) { visit in
                try visit.user.require(Download.action)
                return try await download.file(service, as: visit.user).response
            }
        }
    }
}
