// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The `.storekit` files and the tables of apps: the download, the comparison
/// of an upload with the app's products, and its import.
extension ConnectAPI {
    func addFiles(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/file") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await AppFileDownload(app: try Self.app(context)).file(caller.service, as: caller.user).response
            }
        }
        router.put("/connect/v1/apps/:app/file/comparison") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await compare(ComparedConfiguration(caller, context), request, context)
            }
        }
        router.get("/connect/v1/apps/:app/file/comparison") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await ComparedConfiguration(caller, context).saved().response()
            }
        }
        router.delete("/connect/v1/apps/:app/file/comparison") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await discard(ComparedConfiguration(caller, context), request, context)
            }
        }
        router.post("/connect/v1/apps/:app/file/import") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await apply(ComparedConfiguration(caller, context), request, context)
            }
        }
        addTables(to: router)
    }

    private func addTables(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/table") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await AppTableDownload(app: try Self.app(context)).file(caller.service, as: caller.user).response
            }
        }
        router.put("/connect/v1/apps/:app/table/comparison") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await compare(ComparedTable(caller, context), request, context)
            }
        }
        router.get("/connect/v1/apps/:app/table/comparison") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await ComparedTable(caller, context).saved().response()
            }
        }
        router.delete("/connect/v1/apps/:app/table/comparison") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await discard(ComparedTable(caller, context), request, context)
            }
        }
        router.post("/connect/v1/apps/:app/table/import") { request, context in
            await respond(request, context, in: \.wholeApps) { caller in
                try await apply(ComparedTable(caller, context), request, context)
            }
        }
    }

    private func compare(
        _ upload: some ComparedUpload, _ request: Request, _ context: StoreRequestContext
    ) async throws -> Response {
        try upload.caller.user.require(.editProducts)
        let query = request.queryValues
        try await readFile(request, context, upTo: AppUpload.largest) { file in
            try await upload.keep(file, query)
        }
        return try await upload.saved().response()
    }

    private func discard(
        _ upload: some ComparedUpload, _ request: Request, _ context: StoreRequestContext
    ) async throws -> Response {
        try await skipBody(of: request, context)
        try await upload.discard()
        return Self.done
    }

    private func apply(
        _ upload: some ComparedUpload, _ request: Request, _ context: StoreRequestContext
    ) async throws -> Response {
        let version = try Self.tag(of: request)
        try await skipBody(of: request, context)
        try await refusing {
            try await upload.saved()
        } _: {
            try await upload.apply(version: version)
        }
        return Self.done
    }
}
