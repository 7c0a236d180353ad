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

    /// Publishes a contract that is due now, which the team of an account holder
    /// accepts, with its bank account and its tax form.
    package func signContract(by holder: TeamUser) async throws {
        let signing = try service.signingAgreements()
        let contract = try await PublishingContract(context)("Sellers get 70 percent.", days: 0)
        try await signing.accept(contract.number, by: holder)
        try await signing.setBank(
            Payee.BankValues(holder: "Basket Ltd", iban: "DE89 3704 0044 0532 0130 00", bic: ""), version: 0,
            by: holder)
        try await signing.setTax(
            Payee.TaxValues(
                legalName: "Basket Ltd", address: "1 Fruit Street", country: "gbr", number: "GB123456789"),
            version: 1, by: holder)
    }

    /// The token at the end of a one-time address.
    package static func token(_ address: String) -> String {
        address.split(separator: "/").last.map(String.init) ?? ""
    }
}
