// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The page of a sandbox tester: its settings, clock, family, requests that
/// wait, and the forms that clear its purchases and remove it.
struct TesterPage: ConnectPage {
    static let action: TeamAction? = .seeTesters

    let identifier: AccountIdentifier

    static func path(_ identifier: AccountIdentifier) -> String {
        "\(ConnectPlace.testers.rawValue)/\(identifier.rawValue.percentEncodedForQuery)"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let record = try await visit.service.testerReader.tester(identifier, as: visit.user)
        let sections = TesterSections(record, visit)
        var model = ConsoleModel(
            visit, at: .testers, title: record.account.email,
            sections: [sections.facts]
                + (visit.user.role.may(.manageTesters) ? sections.changes : sections.reading))
        model.above = PageLink(ConnectPlace.testers.rawValue, [:], ConsoleWords.words(visit.language).testers)
        return model
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let managing = try visit.service.managingTesters()
        let (user, path) = (visit.user, Self.path(identifier))
        switch form.decision {
        case "save":
            let switches = AccountSwitch.all.filter { form[$0.name] == "yes" }
            try await managing.change(
                identifier,
                to: TesterSettings(name: form["name"], storefront: form["storefront"], switches: Set(switches)),
                before: form["before"], by: user)
            return .visit("\(path)?done=saved")
        case "speed", "move":
            let move = try form.decision == "speed" ? ClockChoice.speed(form["speed"]) : ClockChoice.move(form["by"])
            try await managing.move(identifier, move, by: user)
            return .visit("\(path)?done=clock")
        case "clear":
            try await managing.clearPurchases(of: identifier, by: user)
            return .visit("\(path)?done=cleared")
        case "family-begin", "family-add", "family-leave", "family-end":
            try await managing.change(family: Self.change(form), of: identifier, by: user)
            return .visit("\(path)?done=family")
        case "approve", "decline":
            try await visit.service.decide(
                form.decision == "approve", about: TransactionIdentifier(form["transaction"]), of: identifier, by: user)
            return .visit("\(path)?done=decided")
        case "remove":
            try await managing.remove(identifier, by: user)
            return .visit("\(ConnectPlace.testers.rawValue)?done=tester-removed")
        default: throw form.unknown
        }
    }

    private static func change(_ form: ConnectForm) -> ManagingTesters.FamilyChange {
        switch form.decision {
        case "family-begin": .begin
        case "family-leave": .leave
        case "family-end": .end
        default: .add(email: form["email"], role: form["role"])
        }
    }
}

/// The lengths by which a tester's clock is moved.
enum ClockChoice {
    static let all = ["1d", "1w", "1mo", "1y"]

    /// The move by one of the lengths, or to the next event.
    ///
    /// - Throws: `InvalidFields` for a text that isn't one of the choices.
    static func move(_ text: String) throws -> MovingClock.Move {
        guard text != "next" else { return .toNextStep }
        guard all.contains(text), let length = try? ClockDuration(text) else { throw InvalidFields(unknown: "by") }
        return .later(length)
    }

    /// The change of the renewals' speed.
    ///
    /// - Throws: `InvalidFields` for a text that isn't one of the speeds.
    static func speed(_ text: String) throws -> MovingClock.Move {
        guard let speed = RenewalSpeed(rawValue: text) else { throw InvalidFields(unknown: "speed") }
        return .speed(speed)
    }

    /// The choices with their names.
    static func options(_ words: TesterWords) -> [ConsoleOption] {
        [ConsoleOption("next", words.toNext)]
            + zip(all, [words.day, words.week, words.month, words.year]).map { ConsoleOption($0, $1) }
    }
}
