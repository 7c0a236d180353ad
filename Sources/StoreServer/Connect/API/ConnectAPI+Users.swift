// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The users and the open invitations.
extension ConnectAPI {
    func addUsers(to router: StoreRouter) {
        router.get("/connect/v1/users") { request, context in
            await respond(request, context) { caller in
                let query = request.queryValues
                let sort = try Self.sort(query, UserSort.self)
                let page = try await caller.service.teamReader.users(
                    containing: query["search"] ?? "", by: sort, after: try Self.place(query, in: sort),
                    as: caller.user)
                return .json(
                    ConnectAnswers.Users(users: page.entries.map(ConnectAnswers.User.init), next: page.next?.text))
            }
        }
        router.get("/connect/v1/users/:user") { request, context in
            await respond(request, context) { caller in
                try await Self.saved(try Self.user(context), caller).response()
            }
        }
        router.patch("/connect/v1/users/:user") { request, context in
            await respond(request, context) { caller in try await changeRole(request, context, caller) }
        }
        router.delete("/connect/v1/users/:user") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                try await caller.service.changingUser().remove(try Self.user(context), by: caller.user)
                return Self.done
            }
        }
        addInvitations(to: router)
    }

    private func addInvitations(to router: StoreRouter) {
        router.get("/connect/v1/invitations") { request, context in
            await respond(request, context) { caller in
                let found = try await caller.service.teamReader.invitations(as: caller.user)
                return .json(ConnectAnswers.Invitations(invitations: found.map(ConnectAnswers.Invitation.init)))
            }
        }
        router.post("/connect/v1/invitations") { request, context in
            await respond(request, context) { caller in try await invite(request, context, caller) }
        }
        router.delete("/connect/v1/invitations/:email") { request, context in
            await respond(request, context) { caller in
                try await skipBody(of: request, context)
                try await caller.service.inviting()
                    .revoke(try context.part("email"), by: caller.user)
                return Self.done
            }
        }
    }

    private static func user(_ context: StoreRequestContext) throws -> TeamUserIdentifier {
        TeamUserIdentifier(try context.part("user"))
    }

    private static func saved(_ user: TeamUserIdentifier, _ caller: ConnectCaller) async throws -> ConnectSaved {
        .user(ConnectAnswers.User(try await caller.service.teamReader.user(user, as: caller.user)))
    }

    private func changeRole(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageUsers)
        let user = try Self.user(context)
        let before = try Self.tag(of: request)
        let role = try await read(request, context) { $0.text("role") ?? "" }
        return try await changing {
            try await Self.saved(user, caller)
        } _: {
            try await caller.service.changingUser().setRole(role, of: user, before: before, by: caller.user)
        }
    }

    private func invite(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.manageUsers)
        let (email, role, language) = try await read(request, context) { body in
            (body.text("email") ?? "", body.text("role") ?? "", body.text("language") ?? "en")
        }
        let path = try await caller.service.inviting()(
            email: email, role: role, language: language, by: caller.user)
        return .json(ConnectAnswers.OneTimeAddress(address: service.publicURL + path), status: .created)
    }
}
