// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The team, its roles, and the log of its changes.
extension ConnectAPI {
    func addTeam(to router: StoreRouter) {
        router.get("/connect/v1/team") { request, context in
            await respond(request, context) { caller in .json(ConnectAnswers.Team(caller)) }
        }
        router.get("/connect/v1/roles") { request, context in
            await respond(request, context) { _ in
                .json(ConnectAnswers.Roles(roles: TeamRole.allCases.map(ConnectAnswers.Role.init)))
            }
        }
        router.get("/connect/v1/log") { request, context in
            await respond(request, context) { caller in try await Self.log(request.queryValues, caller) }
        }
        router.get("/connect/v1/price-tiers") { request, context in
            await respond(request, context) { caller in
                try caller.user.require(.seeApps)
                return .json(ConnectAnswers.Tiers(tiers: PriceTier.all.map(ConnectAnswers.Tier.init)))
            }
        }
    }

    private static func log(_ query: [String: String], _ caller: ConnectCaller) async throws -> Response {
        let page = try await caller.service.teamReader.changes(
            containing: query["search"] ?? "", before: try number(before: query), as: caller.user)
        return .json(
            ConnectAnswers.Changes(changes: page.entries.map(ConnectAnswers.Change.init), next: page.next))
    }
}
