// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
package import StoreDomain

extension Control {
    /// Publishes a version of the contract with the sellers.
    package struct PublishAgreementCall: Codable, Sendable {
        package var text: String
        /// The days until the earlier version isn't in force any more; 30 when
        /// absent.
        package var days: Int?

        package init(text: String, days: Int? = nil) {
            self.text = text
            self.days = days
        }
    }

    /// A version of the contract.
    package struct AgreementAnswer: Codable, Sendable {
        /// 1 for the first version; 0 while there is none.
        package var version: Int64
        package var text: String
        /// In milliseconds since 1970.
        package var published: Int64
        /// When the earlier versions aren't in force any more, in
        /// milliseconds since 1970.
        package var due: Int64
    }

    /// Asks for the newest version of the contract.
    package struct AgreementCall: Codable, Sendable {
        package init() {}
    }

    /// Lists the teams that follow one, with the state of their contracts.
    package struct TeamAgreementsCall: Codable, Sendable {
        package var after: String?

        package init(after: String? = nil) {
            self.after = after
        }
    }

    /// A team with the state of its contract.
    package struct TeamAgreementAnswer: Codable, Sendable {
        package var team: String
        package var name: String
        /// The newest version that the team has accepted; absent for none.
        package var version: Int64?
        /// The e-mail address of the account holder who has accepted it.
        package var by: String?
        /// `acceptance`, `bank` and `tax`: the values without which the team's
        /// products that cost money aren't sold.
        package var missing: [String]
    }

    /// The teams in the order of their identifiers.
    package struct TeamAgreementsAnswer: Codable, Sendable {
        package var teams: [TeamAgreementAnswer]
    }
}

extension Control.AgreementAnswer {
    /// The usual notice of a new version in days.
    private static let usualNotice = 30

    init(_ contract: Contract?) {
        self.init(
            version: contract?.number ?? 0, text: contract?.text ?? "",
            published: contract?.published.milliseconds ?? 0, due: contract?.due.milliseconds ?? 0)
    }

    /// Publishes a version.
    ///
    /// - Throws: The errors of `PublishingContract`.
    package init(publishing call: Control.PublishAgreementCall, in context: StoreContext) async throws {
        self.init(try await PublishingContract(context)(call.text, days: call.days ?? Self.usualNotice))
    }

    /// Reads the newest version.
    ///
    /// - Throws: `DatabaseError`.
    package init(showing call: Control.AgreementCall, in context: StoreContext) async throws {
        self.init(try await PublishingContract(context).newest())
    }
}

extension Control.TeamAgreementsAnswer {
    /// Lists a page of teams.
    ///
    /// - Throws: `DatabaseError`.
    package init(listing call: Control.TeamAgreementsCall, of context: StoreContext) async throws {
        let entries = try await PublishingContract(context).teams(after: TeamIdentifier(call.after ?? ""))
        self.init(
            teams: entries.map { entry in
                Control.TeamAgreementAnswer(
                    team: entry.team.identifier.rawValue, name: entry.team.name, version: entry.accepted?.number,
                    by: entry.accepted?.email, missing: entry.missing.map(\.rawValue))
            })
    }
}

extension StoreService {
    func controlAgreements(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .publishAgreement:
            let call = try decode(Control.PublishAgreementCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.AgreementAnswer(publishing: call, in: context))
        case .teamAgreements:
            let call = try decode(Control.TeamAgreementsCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.TeamAgreementsAnswer(listing: call, of: context))
        default:
            let call = try decode(Control.AgreementCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.AgreementAnswer(showing: call, in: context))
        }
    }
}
