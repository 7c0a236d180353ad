// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The apps.
extension ConnectAPI {
    func addApps(to router: StoreRouter) {
        router.get("/connect/v1/apps") { request, context in
            await respond(request, context) { caller in
                let query = request.queryValues
                let sort = try Self.sort(query, AppSort.self)
                guard let state = AppRegistration.State(rawValue: query["state"] ?? "used") else {
                    throw InvalidFields(unknown: "state")
                }
                let page = try await caller.service.appReader.apps(
                    state, containing: query["search"] ?? "", by: sort, after: try Self.place(query, in: sort),
                    as: caller.user)
                return .json(
                    ConnectAnswers.Apps(apps: page.entries.map(ConnectAnswers.App.init), next: page.next?.text))
            }
        }
        router.post("/connect/v1/apps") { request, context in
            await respond(request, context) { caller in try await register(request, context, caller) }
        }
        router.get("/connect/v1/apps/:app") { request, context in
            await respond(request, context) { caller in
                try await Self.saved(try Self.app(context), caller).response()
            }
        }
        router.patch("/connect/v1/apps/:app") { request, context in
            await respond(request, context) { caller in try await change(request, context, caller) }
        }
        router.get("/connect/v1/apps/:app/groups") { request, context in
            await respond(request, context) { caller in
                let groups = try await caller.service.appReader.groups(of: try Self.app(context), as: caller.user)
                return .json(
                    ConnectAnswers.Groups(
                        groups: groups.map {
                            ConnectAnswers.Group(group: $0.identifier.rawValue, name: $0.referenceName)
                        }
                    ))
            }
        }
    }

    static func app(_ context: StoreRequestContext) throws -> BundleIdentifier {
        BundleIdentifier(try context.part("app"))
    }

    private static func saved(_ app: BundleIdentifier, _ caller: ConnectCaller) async throws -> ConnectSaved {
        .app(ConnectAnswers.App(try await caller.service.appReader.app(app, as: caller.user)))
    }

    private func register(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.registerApps)
        let values = try await read(request, context) { body in
            AppRegistration.Values(
                bundleIdentifier: body.text("bundle") ?? "", name: body.text("name") ?? "",
                sku: body.text("sku") ?? "", primaryLocale: body.text("locale") ?? "")
        }
        let made = try await caller.service.registeringApp()(values, by: caller.user)
        return ConnectSaved.app(ConnectAnswers.App(made)).response(status: .created)
    }

    private func change(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.registerApps)
        let app = try Self.app(context)
        let version = try Self.version(of: request)
        let change = try await read(request, context) {
            AppRegistration.Change(name: $0.text("name"), state: $0.text("state"))
        }
        return try await changing {
            try await Self.saved(app, caller)
        } _: {
            try await caller.service.registeringApp().change(app, to: change, version: version, by: caller.user)
        }
    }
}
