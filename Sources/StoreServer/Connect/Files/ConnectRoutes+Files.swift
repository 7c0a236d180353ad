// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages with files of an app.
extension ConnectRoutes {
    func addFiles(to router: StoreRouter) {
        add("apps/:app/file", to: router) { AppFilePage(app: try Self.app($0)) }
        addDownload("apps/:app/file/download", to: router) { context, _ in AppFileDownload(app: try Self.app(context)) }
        add("apps/:app/table", to: router) { AppTablePage(app: try Self.app($0)) }
        addDownload("apps/:app/table/download", to: router) { context, _ in AppTableDownload(app: try Self.app(context))
        }
    }

    /// Adds a file at a path behind `/connect/`. The file is made of the path's parts and the query's values.
    func addDownload<Download: ConnectDownload>(
        _ path: String, to router: StoreRouter,
        _ download: @escaping @Sendable (StoreRequestContext, [String: String]) throws -> Download
    ) {
        addAnswer(path, to: router) { request, context in
            let download = try download(context, request.queryValues)
            return await signedIn(request, places: Download.places) { visit in
                try visit.user.require(Download.action)
                return try await download.file(service, as: visit.user).response
            }
        }
    }
}
