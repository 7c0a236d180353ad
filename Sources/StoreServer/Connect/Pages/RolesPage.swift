// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The page of the table of roles.
struct RolesPage: ConnectPage {
    static let action: TeamAction? = nil

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = RoleWords.words(visit.language)
        let table = ConsoleTable(
            caption: words.caption, columns: TeamRole.allCases.map(words.name),
            lines: TeamAction.allCases.filter { !$0.isOfTheOperator || visit.team.identifier == Team.ofTheStore }
                .map { action in
                    ConsoleTable.Line(
                        name: words.name(action),
                        cells: TeamRole.allCases.map { role in
                            let isAllowed = role.may(action)
                            return .init(
                                column: words.name(role), text: isAllowed ? "●" : "–",
                                spoken: isAllowed ? words.allowed : words.refused, isRefused: !isAllowed)
                        })
                })
        return ConsoleModel(visit, at: .roles, sections: [ConsoleSection(paragraphs: [words.note], table: table)])
    }
}
