// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreDomain

extension Control {
    /// Lists the teams of Connect that have a user.
    package struct TeamsCall: Codable, Sendable {
        /// The team after which the page begins.
        package var after: String?

        package init(after: String? = nil) {
            self.after = after
        }
    }

    /// Makes a one-time address at which another team is set up.
    package struct AddTeamCall: Codable, Sendable {
        package init() {}
    }

    /// Makes a one-time address for a new password of a user of Connect.
    package struct RecoverTeamUserCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    /// A team of Connect.
    package struct TeamAnswer: Codable, Sendable {
        package var team: String
        package var name: String
        package var users: Int
    }

    /// Teams of Connect, by identifier.
    package struct TeamsAnswer: Codable, Sendable {
        package var teams: [TeamAnswer]
    }

    /// A one-time address.
    package struct TeamAddressAnswer: Codable, Sendable {
        /// The address; of a store that isn't running, its path.
        package var address: String
    }
}

extension Control.TeamsAnswer {
    /// Lists the teams of a store.
    ///
    /// - Throws: `DatabaseError`.
    package init(listing call: Control.TeamsCall, of context: StoreContext) async throws {
        let teams = try await ListingTeams(context)(after: TeamIdentifier(call.after ?? ""))
        self.init(
            teams: teams.map { listed in
                Control.TeamAnswer(
                    team: listed.team.identifier.rawValue, name: listed.team.name, users: listed.users)
            })
    }
}

extension Control.TeamAddressAnswer {
    /// Makes the address of another team's set-up.
    ///
    /// - Throws: `DatabaseError`.
    package init(adding call: Control.AddTeamCall, to context: StoreContext) async throws {
        self.init(address: try await SettingUpTeam(context).pathForAnotherTeam())
    }

    /// Makes the address for a user's new password.
    ///
    /// - Throws: `DomainError` `notFound`.
    package init(recovering call: Control.RecoverTeamUserCall, in context: StoreContext) async throws {
        self.init(address: try await RecoveringUser(context).path(forUser: call.email))
    }
}

extension StoreService {
    func controlTeams(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .addTeam:
            let call = try decode(Control.AddTeamCall.self, from: body, of: verb.rawValue)
            let answer = try await Control.TeamAddressAnswer(adding: call, to: context)
            return try encode(Control.TeamAddressAnswer(address: publicURL + answer.address))
        case .recoverTeamUser:
            let call = try decode(Control.RecoverTeamUserCall.self, from: body, of: verb.rawValue)
            let answer = try await Control.TeamAddressAnswer(recovering: call, in: context)
            return try encode(Control.TeamAddressAnswer(address: publicURL + answer.address))
        default:
            let call = try decode(Control.TeamsCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.TeamsAnswer(listing: call, of: context))
        }
    }
}
