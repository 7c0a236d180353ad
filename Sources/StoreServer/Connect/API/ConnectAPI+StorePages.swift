// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The store pages of apps, and their versions.
extension ConnectAPI {
    func addStorePages(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/store-page") { request, context in
            await respond(request, context) { caller in
                try await Self.storePage(of: try Self.app(context), caller).response()
            }
        }
        router.patch("/connect/v1/apps/:app/store-page") { request, context in
            await respond(request, context) { caller in try await changeStorePage(request, context, caller) }
        }
        router.put("/connect/v1/apps/:app/store-page/screenshots/:place") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.editProducts)
                let (app, place) = (try Self.app(context), try Self.screenshot(context))
                try await readFile(request, context, upTo: ItemArtwork.largest) { bytes in
                    try await caller.service.registeringItem()
                        .setImage(bytes, at: place, of: .app(app), by: caller.user)
                }
                return try await Self.storePage(of: app, caller).response()
            }
        }
        router.delete("/connect/v1/apps/:app/store-page/screenshots/:place") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.editProducts)
                let (app, place) = (try Self.app(context), try Self.screenshot(context))
                try await skipBody(of: request, context)
                try await caller.service.registeringItem().removeImage(at: place, of: .app(app), by: caller.user)
                return Self.done
            }
        }
    }

    func addVersions(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/versions") { request, context in
            await respond(request, context) { caller in
                let page = try await caller.service.versionReader.page(
                    of: try Self.app(context), before: try Self.number(before: request.queryValues), as: caller.user)
                return .json(
                    ConnectAnswers.AppVersions(
                        versions: page.entries.map(ConnectAnswers.AppVersion.init), next: page.next))
            }
        }
        router.post("/connect/v1/apps/:app/versions") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.editProducts)
                let app = try Self.app(context)
                let version = try await read(request, context) { $0.text("version") ?? "" }
                let made = try await caller.service.registeringVersion().add(version, to: app, by: caller.user)
                return .json(ConnectAnswers.AppVersion(made), status: .created)
            }
        }
        router.get("/connect/v1/apps/:app/versions/:version") { request, context in
            await respond(request, context) { caller in try await Self.version(context, caller) }
        }
        router.delete("/connect/v1/apps/:app/versions/:version") { request, context in
            await respond(request, context) { caller in
                let (app, version) = (try Self.app(context), try context.part("version"))
                try await skipBody(of: request, context)
                try await caller.service.registeringVersion().remove(version, of: app, by: caller.user)
                return Self.done
            }
        }
        router.post("/connect/v1/apps/:app/versions/:version/release") { request, context in
            await respond(request, context) { caller in
                let (app, version) = (try Self.app(context), try context.part("version"))
                try await skipBody(of: request, context)
                try await caller.service.registeringVersion().release(version, of: app, by: caller.user)
                return try await Self.version(context, caller)
            }
        }
    }

    private static func version(_ context: StoreRequestContext, _ caller: ConnectCaller) async throws -> Response {
        let found = try await caller.service.versionReader.version(
            try context.part("version"), of: try app(context), as: caller.user)
        return .json(ConnectAnswers.AppVersion(found))
    }

    /// The place of a screenshot.
    ///
    /// - Throws: `DomainError` `notFound` for another place than those that a
    ///   page has.
    private static func screenshot(_ context: StoreRequestContext) throws -> Int {
        guard let place = Int(try context.part("place")), (1...ItemArtwork.screenshots).contains(place) else {
            throw DomainError(.notFound, "A store page has screenshots at the places 1 to \(ItemArtwork.screenshots).")
        }
        return place
    }

    private static func storePage(of app: BundleIdentifier, _ caller: ConnectCaller) async throws -> ConnectSaved {
        let page = try await caller.service.storePageReader(of: app, as: caller.user)
        return ConnectSaved(
            ConnectAnswers.StorePage(page, at: caller.service.clock.now()), version: String(page.version))
    }

    private func changeStorePage(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let app = try Self.app(context)
        let version = try Self.version(of: request)
        let found = try await caller.service.storePageReader(of: app, as: caller.user)
        let values = try await read(request, context) { body in Item.Values(of: found, changedBy: &body) }
        return try await changing {
            try await Self.storePage(of: app, caller)
        } _: {
            // The values are those of `found` with the changes: no later version is replaced by them.
            try await caller.service.registeringStorePage().save(
                values, of: app, version: version > found.version ? -1 : version, by: caller.user)
        }
    }
}
