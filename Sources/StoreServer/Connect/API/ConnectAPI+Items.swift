// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The items other than apps, and their images.
extension ConnectAPI {
    func addItems(to router: StoreRouter) {
        router.get("/connect/v1/items") { request, context in
            await respond(request, context) { caller in
                let query = request.queryValues
                let sort = try Self.sort(query, ItemSort.self)
                let page = try await caller.service.itemReader.page(
                    kind: query["kind"] ?? "", containing: query["search"] ?? "", by: sort,
                    after: try Self.place(query, in: sort), as: caller.user)
                return .json(
                    ConnectAnswers.Items(
                        items: page.entries.map(ConnectAnswers.ListedItem.init), next: page.next?.text))
            }
        }
        router.post("/connect/v1/items") { request, context in
            await respond(request, context) { caller in try await registerItem(request, context, caller) }
        }
        router.get("/connect/v1/items/:item") { request, context in
            await respond(request, context) { caller in try await ItemPlace(context).saved(caller).response() }
        }
        router.patch("/connect/v1/items/:item") { request, context in
            await respond(request, context) { caller in try await changeItem(request, context, caller) }
        }
        addItemImages(to: router)
    }

    private func addItemImages(to router: StoreRouter) {
        router.get("/connect/v1/items/:item/icon") { request, context in
            await respond(request, context) { caller in try await ItemPlace(context).image(at: 0, caller) }
        }
        router.put("/connect/v1/items/:item/icon") { request, context in
            await respond(request, context) { caller in try await setImage(at: 0, request, context, caller) }
        }
        router.delete("/connect/v1/items/:item/icon") { request, context in
            await respond(request, context) { caller in try await removeImage(at: 0, request, context, caller) }
        }
        router.get("/connect/v1/items/:item/screenshots/:place") { request, context in
            await respond(request, context) { caller in
                try await ItemPlace(context).image(at: try Self.place(context), caller)
            }
        }
        router.put("/connect/v1/items/:item/screenshots/:place") { request, context in
            await respond(request, context) { caller in
                try await setImage(at: try Self.place(context), request, context, caller)
            }
        }
        router.delete("/connect/v1/items/:item/screenshots/:place") { request, context in
            await respond(request, context) { caller in
                try await removeImage(at: try Self.place(context), request, context, caller)
            }
        }
    }

    /// The place of a screenshot.
    private static func place(_ context: StoreRequestContext) throws -> Int {
        guard let place = Int(try context.part("place")), (1...ItemArtwork.screenshots).contains(place) else {
            throw DomainError(.notFound, "An item has the screenshots 1 to \(ItemArtwork.screenshots).")
        }
        return place
    }

    /// Registers an item under a number that the store draws, so that the same
    /// request again registers another one.
    private func registerItem(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let values = try await read(request, context) { body in Item.Values(reading: &body) }
        return try await carryingOutEachTime(context) {
            let made = try await caller.service.registeringItem().add(values, by: caller.user)
            return try await ItemPlace(identifier: made.identifier).saved(caller).response(status: .created)
        }
    }

    private func changeItem(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let place = try ItemPlace(context)
        let edits = try Self.version(of: request)
        let found = try await place.registered(caller).item
        let values = try await read(request, context) { body in Item.Values(of: found, changedBy: &body) }
        return try await changing {
            try await place.saved(caller)
        } _: {
            // The values are those of `found` with the changes: no later version is replaced by them.
            try await caller.service.registeringItem().change(
                place.identifier, to: values, edits: edits > found.edits ? -1 : edits, by: caller.user)
        }
    }

    private func setImage(
        at place: Int, _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.editProducts)
        let item = try ItemPlace(context)
        try await readFile(request, context, upTo: ItemArtwork.largest) { bytes in
            try await caller.service.registeringItem().setImage(
                bytes, at: place, of: .item(item.identifier), by: caller.user)
        }
        return try await item.saved(caller).response()
    }

    private func removeImage(
        at place: Int, _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try await skipBody(of: request, context)
        try await caller.service.registeringItem().removeImage(
            at: place, of: .item(try ItemPlace(context).identifier), by: caller.user)
        return Self.done
    }
}

/// The item that a path names.
private struct ItemPlace {
    let identifier: Int64

    init(identifier: Int64) {
        self.identifier = identifier
    }

    /// A number that isn't one is an unknown item's.
    init(_ context: StoreRequestContext) throws {
        self.init(identifier: Int64(try context.part("item")) ?? 0)
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func registered(_ caller: ConnectCaller) async throws -> RegisteringItem.Registered {
        try await caller.service.itemReader.item(identifier, as: caller.user)
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func saved(_ caller: ConnectCaller) async throws -> ConnectSaved {
        let found = try await registered(caller)
        return ConnectSaved(ConnectAnswers.Item(found), version: String(found.item.edits))
    }

    /// The bytes of the image at a place.
    ///
    /// - Throws: `DomainError`: `forbidden`; `notFound` without such an image.
    func image(at place: Int, _ caller: ConnectCaller) async throws -> Response {
        guard let image = try await registered(caller).images.first(where: { $0.place == place }) else {
            throw DomainError(.notFound, "There is no such image.")
        }
        let found = try await caller.service.artwork(image.digest, of: identifier)
        return .isolated(found.bytes, type: found.type)
    }
}
