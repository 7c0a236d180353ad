// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The notification addresses of apps, and the test that is sent to them.
extension ConnectAPI {
    func addAddresses(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/notification-addresses") { request, context in
            await respond(request, context) { caller in
                let found = try await AddressPlace.all(of: try Self.app(context), caller)
                return .json(ConnectAnswers.Addresses(addresses: found.map { ConnectAnswers.Address($0) }))
            }
        }
        router.post("/connect/v1/apps/:app/notification-addresses") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.manageServers)
                let app = try Self.app(context)
                let values = try await read(request, context) { body in AddressValues(reading: &body) }
                try await caller.service.registeringAddresses().add(values, of: app, by: caller.user)
                return try await AddressPlace(of: values, in: app).saved(caller).response(status: .created)
            }
        }
        router.get("/connect/v1/apps/:app/notification-addresses/:address") { request, context in
            await respond(request, context) { caller in try await AddressPlace(context).saved(caller).response() }
        }
        router.put("/connect/v1/apps/:app/notification-addresses/:address") { request, context in
            await respond(request, context) { caller in try await replaceAddress(request, context, caller) }
        }
        router.delete("/connect/v1/apps/:app/notification-addresses/:address") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                let found = try await AddressPlace(context).found(caller)
                try await caller.service.registeringAddresses().remove(
                    found.address.url, in: found.environment, of: try Self.app(context), by: caller.user)
                return Self.done
            }
        }
        addNotificationTests(to: router)
    }

    private func addNotificationTests(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/notification-test") { request, context in
            await respond(request, context) { caller in try await Self.test(of: try Self.app(context), caller) }
        }
        router.post("/connect/v1/apps/:app/notification-test") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                let app = try Self.app(context)
                return try await carryingOutEachTime(context) {
                    try await caller.service.registeringAddresses().sendTest(of: app, by: caller.user)
                    return try await Self.test(of: app, caller)
                }
            }
        }
    }

    private func replaceAddress(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageServers)
        let (place, tag) = (try AddressPlace(context), try Self.version(of: request))
        let values = try await read(request, context) { body in AddressValues(reading: &body) }
        let next = AddressPlace(of: values, in: place.app)
        let all = try await AddressPlace.all(of: place.app, caller)
        guard let found = all.first(where: place.names) else {
            // The same change again has found the address that it has made.
            guard let made = all.first(where: next.names), String(made.address.version.rawValue) == values.version
            else { throw AddressPlace.unknown }
            return made.saved.response()
        }
        // No address has the version 0.
        guard let version = NotificationVersion(rawValue: tag) else {
            throw StoreFailure(.invalid, "If-Match isn't an ETag of these values.")
        }
        try await refusing {
            try await place.saved(caller)
        } _: {
            try await caller.service.registeringAddresses().change(
                found.address.url, in: found.environment, to: values, version: version, of: place.app,
                by: caller.user)
        }
        return try await next.saved(caller).response()
    }

    /// The newest test of this store's environment.
    private static func test(of app: BundleIdentifier, _ caller: ConnectCaller) async throws -> Response {
        guard let test = try await caller.service.registeringAddresses()(of: app, as: caller.user).test else {
            throw DomainError(.notFound, "No test was sent to the app's addresses: send one first.")
        }
        return .json(ConnectAnswers.Notification(test))
    }
}

/// The notification address that a path names by the identifier of
/// ``AddressesPage``.
private struct AddressPlace {
    let app: BundleIdentifier
    let identifier: String

    static let unknown = DomainError(.notFound, "The app has no such notification address.")

    init(_ context: StoreRequestContext) throws {
        app = try ConnectAPI.app(context)
        identifier = try context.part("address")
    }

    /// The place of an address with the values of a body.
    init(of values: AddressValues, in app: BundleIdentifier) {
        self.app = app
        identifier = AddressesPage.identifier(of: values.url, in: StoreEnvironment(rawValue: values.environment))
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    static func all(of app: BundleIdentifier, _ caller: ConnectCaller) async throws -> [FoundAddress] {
        let known = try await caller.service.registeringAddresses()(of: app, as: caller.user)
        return StoreEnvironment.all.flatMap { environment in
            known.addresses[environment, default: []].map { FoundAddress(environment: environment, address: $0) }
        }
    }

    func names(_ found: FoundAddress) -> Bool { found.identifier == identifier }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func found(_ caller: ConnectCaller) async throws -> FoundAddress {
        guard let found = try await Self.all(of: app, caller).first(where: names) else { throw Self.unknown }
        return found
    }

    /// - Throws: `DomainError`: `forbidden`, `notFound`.
    func saved(_ caller: ConnectCaller) async throws -> ConnectSaved { try await found(caller).saved }
}

/// A notification address with its environment.
struct FoundAddress: Sendable {
    var environment: StoreEnvironment
    var address: NotificationAddress

    var identifier: String { AddressesPage.identifier(of: address.url, in: environment) }

    var saved: ConnectSaved {
        ConnectSaved(ConnectAnswers.Address(self), version: String(address.version.rawValue))
    }
}
