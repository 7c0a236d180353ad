// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport

@testable import StoreDomain
@testable import StoreServer

extension ConnectRoleTests {
    private static let address = "https://seller.example/notify"

    /// The pages and forms about the servers of an app's seller.
    /// `:address` stands for an address of the app.
    static let servers: [Attempt] =
        [Attempt(path: "/connect/apps/:app/notifications", action: .manageServers, namesObject: true)]
        + [
            ["decision": "add", "url": "https://new.example/", "version": "2", "environment": "Sandbox"],
            [
                "decision": "change", "address": ":address", "url": "https://new.example/", "version": "1",
                "environment": "Production",
            ],
            ["decision": "remove", "address": ":address"], ["decision": "test"],
        ].map { form in
            Attempt(
                path: "/connect/apps/:app/notifications", form: form, action: .manageServers, namesObject: true)
        }
        + [Attempt(path: "/connect/apps/:app/secrets", action: .manageServers, namesObject: true)]
        + ["app", "master"].map { owner in
            Attempt(
                path: "/connect/apps/:app/secrets", form: ["decision": "make", "owner": owner, "version": ""],
                action: .manageServers, namesObject: true)
        }

    /// Adds an address of the team's app, and returns the text that forms name
    /// it by.
    static func addAddress(in store: TestStore, by holder: TeamUser) async throws -> String {
        let app = BundleIdentifier(TestStore.bundleIdentifier)
        try await store.service.registeringAddresses().add(
            AddressValues(url: address, version: "2", environment: "Sandbox"), of: app, by: holder)
        return AddressesPage.identifier(of: address, in: .sandbox)
    }
}
