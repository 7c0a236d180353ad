// SPDX-License-Identifier: Apache-2.0

import StoreCore
package import StoreDomain
import StoreService
import Testing

extension TestStore {
    /// The password of the users of Connect.
    package static let teamPassword = "correct horse battery"

    /// Sets a team up with its first account holder.
    package func setUpTeam(
        _ team: TeamIdentifier = Team.ofTheStore, holder email: String = "holder@example.com"
    ) async throws -> TeamUser {
        let path = try #require(try await SettingUpTeam(context).path(for: team))
        return try await service.setUpTeam(
            by: Self.token(path), named: "Team \(team)",
            user: NewUser(email: email, name: "Holder", password: Self.teamPassword), from: nil)
    }

    /// Makes a user of a team by an invitation.
    package func addUser(_ role: TeamRole, to holder: TeamUser, email: String? = nil) async throws -> TeamUser {
        let path = try await service.inviting()(
            email: email ?? "\(role.rawValue)@\(holder.team).example", role: role.rawValue, language: "en", by: holder)
        return try await service.joinTeam(
            by: Self.token(path), user: NewUser(name: "User \(role.rawValue)", password: Self.teamPassword), from: nil)
    }

    /// The token at the end of a one-time address.
    package static func token(_ address: String) -> String {
        address.split(separator: "/").last.map(String.init) ?? ""
    }
}
