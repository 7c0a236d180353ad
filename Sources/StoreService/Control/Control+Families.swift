// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The calls about families.
extension StoreService {
    /// Carries out one of the calls `family`, `beginFamily`, `addFamilyMember`,
    /// `setFamilyRole`, `removeFamilyMember` and `endFamily`.
    func controlFamilies(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .addFamilyMember, .setFamilyRole:
            return try encode(
                try await change(try decode(Control.FamilyMemberCall.self, from: body, of: verb.rawValue), verb))
        default:
            let email = try decode(Control.FamilyCall.self, from: body, of: verb.rawValue).email
            return try encode(try await family(email, verb))
        }
    }

    private func change(_ call: Control.FamilyMemberCall, _ verb: Control.Verb) async throws -> Control.FamilyAnswer {
        let role = try FamilyMember.Role.named(call.role)
        guard verb == .addFamilyMember else {
            return Control.FamilyAnswer(try await ChangingFamily(context).setRole(role, of: call.email))
        }
        guard let organiser = call.organiser else {
            throw DomainError(.invalid, "Give the organiser of the family too.")
        }
        return Control.FamilyAnswer(try await ChangingFamily(context).add(call.email, as: role, organiser: organiser))
    }

    private func family(_ email: String, _ verb: Control.Verb) async throws -> Control.FamilyAnswer {
        switch verb {
        case .beginFamily: return Control.FamilyAnswer(try await ChangingFamily(context).begin(organiser: email))
        case .removeFamilyMember: return Control.FamilyAnswer(try await ChangingFamily(context).remove(email))
        case .endFamily:
            try await ChangingFamily(context).end(organiser: email)
            return Control.FamilyAnswer(members: [])
        default: return Control.FamilyAnswer(try await FindingFamily(context)(email: email))
        }
    }
}

extension Control.FamilyAnswer {
    init(_ family: Family) {
        self.init(
            members: family.members.map { member in
                Control.FamilyMemberAnswer(
                    email: member.email, role: member.role.rawValue, asksToBuy: member.asksToBuy,
                    joined: member.joined.milliseconds)
            })
    }
}
