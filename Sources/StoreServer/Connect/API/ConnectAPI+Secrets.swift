// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The shared secrets of apps and of the team.
extension ConnectAPI {
    func addSecrets(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/secrets") { request, context in
            await respond(request, context) { caller in
                try await Self.secrets(of: try Self.app(context), caller).saved.response()
            }
        }
        router.post("/connect/v1/apps/:app/secrets/:owner") { request, context in
            await respond(request, context) { caller in try await makeSecret(request, context, caller) }
        }
    }

    private func makeSecret(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageServers)
        let (app, tag) = (try Self.app(context), try Self.tag(of: request))
        guard let owner = SharedSecrets.Owner(rawValue: try context.part("owner")) else {
            throw DomainError(.notFound, "A shared secret is of \"app\" or \"master\".")
        }
        try await skipBody(of: request, context)
        let present = try await Self.secrets(of: app, caller)
        // The transaction compares the version of this owner's secret.
        let version = present.saved.tag == "\"\(tag)\"" ? present.secrets.version(of: owner) : "\u{0}"
        return try await changing(status: .created) {
            try await Self.secrets(of: app, caller).saved
        } _: {
            try await caller.service.makeSharedSecret(owner, version: version, of: app, by: caller.user)
        }
    }

    private static func secrets(
        of app: BundleIdentifier, _ caller: ConnectCaller
    ) async throws -> (secrets: SharedSecrets, saved: ConnectSaved) {
        let secrets = try await caller.service.sharedSecrets(of: app, as: caller.user)
        return (secrets, ConnectSaved(ConnectAnswers.Secrets(secrets), version: secrets.versions.hashedVersion))
    }
}

extension SharedSecrets {
    /// The versions of both secrets.
    var versions: String { Owner.allCases.map(version).joined(separator: " ") }
}
