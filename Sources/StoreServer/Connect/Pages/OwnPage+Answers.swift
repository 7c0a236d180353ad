// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

extension OwnPage {
    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let (user, path) = (visit.user, ConnectPlace.account.rawValue)
        let changing = try visit.service.changingOwnUser()
        switch form.decision {
        case "name":
            try await changing.setName(form["name"], of: user)
            return .visit("\(path)?done=saved")
        case "password":
            let changed = try await changing.setPassword(form["newPassword"], of: user, present: form["password"])
            return .signedInAgain(changed, "\(path)?done=password")
        case "codes-begin":
            try await changing.drawSecret(of: user, present: form["password"])
            return .visit(path)
        case "codes-forget":
            try await changing.forgetSecret(of: user)
            return .visit(path)
        case "codes-use": return .page(shown(try await changing.useSecret(of: user, code: form["code"]), visit))
        case "codes-new":
            return .page(shown(try await changing.drawRecoveryCodes(of: user, present: form["password"]), visit))
        case "codes-end":
            try await changing.endCodes(of: user, present: form["password"])
            return .visit("\(path)?done=codes-ended")
        case "end-session":
            try await visit.service.teamSessions.end(form["session"], of: user)
            return .visit("\(path)?done=session")
        case "end-others":
            try await visit.service.teamSessions.endOthers(than: visit.session, of: user)
            return .visit("\(path)?done=others")
        default: throw form.unknown
        }
    }

    /// The page that shows recovery codes once.
    private func shown(_ codes: [String], _ visit: ConnectVisit) -> ConsoleModel {
        let words = OwnWords.words(visit.language)
        return ConsoleModel(
            visit, at: .account, title: words.codes,
            sections: [
                ConsoleSection(
                    paragraphs: [words.codesNote], copies: [ConsoleCopy(label: words.codes, lines: codes)],
                    links: [PageLink(ConnectPlace.account.rawValue, [:], words.done)])
            ])
    }
}
