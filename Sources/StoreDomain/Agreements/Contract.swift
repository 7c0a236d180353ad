// SPDX-License-Identifier: Apache-2.0

/// A version of the contract between the operator and the sellers of apps and
/// products that cost money.
package struct Contract: Hashable, Sendable {
    /// 1 for the first version.
    package var number: Int64
    package var text: String
    package var published: WallTime
    /// The time from which the earlier versions aren't in force any more.
    package var due: WallTime

    /// The most characters of a text.
    package static let longest = 200_000
    /// The most days between the publication and ``due``.
    package static let longestNotice = 365
    /// The most versions of a store.
    package static let versions: Int64 = 10_000
}

/// A team's acceptance of a version of the contract.
package struct ContractAcceptance: Hashable, Sendable {
    package var number: Int64
    /// The account holder who has accepted it.
    package var email: String
    package var name: String
    package var accepted: WallTime
}

/// The contract of a team, and its forms.
package struct TeamAgreements: Hashable, Sendable {
    /// The newest version; `nil` while the operator has published none.
    package var newest: Contract?
    /// The newest acceptance of the team.
    package var accepted: ContractAcceptance?
    /// The number of the newest version that is due; `nil` for none.
    package var required: Int64?
    package var payee: Payee
    /// Whether it is the operator's own team, which needs no contract.
    package var isOperator: Bool

    /// A value without which the team's products that cost money aren't sold.
    package enum Missing: String, CaseIterable, Hashable, Sendable {
        case acceptance, bank, tax
    }

    /// The values that the team lacks; empty for a team whose contract is in
    /// force.
    package var missing: [Missing] {
        guard !isOperator else { return [] }
        let isAccepted = required.flatMap { required in accepted.map { $0.number >= required } } ?? false
        return (isAccepted ? [] : [.acceptance]) + (payee.bank == nil ? [.bank] : [])
            + (payee.tax == nil ? [.tax] : [])
    }

    /// Whether the newest version waits for the account holder.
    package var isOpen: Bool {
        guard let newest, !isOperator else { return false }
        return (accepted?.number ?? 0) < newest.number
    }
}
