// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The pages with files of an app.
extension ConnectRoutes {
    func addFiles(to router: StoreRouter) {
        router.get("/connect/apps/:app/file") { request, context in
            await show(AppFilePage(app: try Self.app(context)), request)
        }
        router.post("/connect/apps/:app/file") { request, context in
            await answer(AppFilePage(app: try Self.app(context)), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/apps/:app/file", allowed: .get, .post)
        router.get("/connect/apps/:app/file/download") { request, context in
            await download(AppFileDownload(app: try Self.app(context)), request)
        }
        router.onOtherMethods("/connect/apps/:app/file/download", allowed: .get)
        router.get("/connect/apps/:app/table") { request, context in
            await show(AppTablePage(app: try Self.app(context)), request)
        }
        router.post("/connect/apps/:app/table") { request, context in
            await answer(AppTablePage(app: try Self.app(context)), request, from: context.clientAddress)
        }
        router.onOtherMethods("/connect/apps/:app/table", allowed: .get, .post)
        router.get("/connect/apps/:app/table/download") { request, context in
            await download(AppTableDownload(app: try Self.app(context)), request)
        }
        router.onOtherMethods("/connect/apps/:app/table/download", allowed: .get)
    }

    /// Answers with a file, as ``show(_:_:)`` answers with a page.
    func download<Download: ConnectDownload>(_ download: Download, _ request: Request) async -> Response {
        do {
            guard let visit = try await visit(of: request) else {
                return try await entry.signIn(
                    request, failure: StoreFailure(.forbidden, "Sign in first.", reason: .signedOut),
                    returningTo: request.uri.string)
            }
            try visit.user.require(Download.action)
            return try await download.file(visit.service, as: visit.user).response
        } catch {
            return failed(error, PageLanguage(request), request)
        }
    }
}
