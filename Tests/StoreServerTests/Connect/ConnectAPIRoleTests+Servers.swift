// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService
import StoreTestSupport

@testable import StoreDomain
@testable import StoreServer

extension ConnectAPIRoleTests {
    /// The attempts with notification addresses, shared secrets, items, hosted
    /// content and the operator's review.
    static let latest: [Attempt] = servers

    private static let address = "{\"url\": \"https://new.example/\", \"version\": 2, \"environment\": \"Sandbox\"}"

    private static let servers: [Attempt] = [
        Attempt(method: .get, path: "apps/:app/notification-addresses", action: .manageServers),
        Attempt(method: .post, path: "apps/:app/notification-addresses", body: address, action: .manageServers),
        Attempt(method: .get, path: "apps/:app/notification-addresses/:address", action: .manageServers),
        Attempt(
            method: .put, path: "apps/:app/notification-addresses/:address", body: address, tag: "\"2\"",
            action: .manageServers),
        Attempt(method: .delete, path: "apps/:app/notification-addresses/:address", action: .manageServers),
        // No test was sent.
        Attempt(method: .get, path: "apps/:app/notification-test", action: .manageServers, mayLack: true),
        Attempt(method: .post, path: "apps/:app/notification-test", action: .manageServers),
        Attempt(method: .get, path: "apps/:app/secrets", action: .manageServers),
        Attempt(
            method: .post, path: "apps/:app/secrets/:owner", tag: "\"\(SharedSecrets().versions.hashedVersion)\"",
            action: .manageServers),
    ]

    /// Makes the objects of the team that the paths of ``latest`` name.
    ///
    /// - Returns: The objects by the names of paths.
    static func objects(
        of attempt: Attempt, in store: TestStore, by holder: TeamUser
    ) async throws -> [String: String] {
        var objects = ["owner": "app", "place": "1", "version": "1.0"]
        if attempt.path.contains("/notification-") {
            objects["address"] = try await ConnectRoleTests.addAddress(in: store, by: holder)
        }
        return objects
    }
}
