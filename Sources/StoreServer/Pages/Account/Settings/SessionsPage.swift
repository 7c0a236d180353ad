// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of the browsers in which an account is signed in.
struct SessionsPage: AccountPage {
    static let place = AccountPlace.sessions
    let service: StoreService

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = SessionsWords.words(language)
        let sessions = try await service.sessions(of: account)
        let entries = sessions.map { listed in
            let isCurrent = listed.identifier == session?.identifier
            let details = [
                words.fill(\.opened, ["date": language.date(listed.opened)]),
                words.fill(\.seen, ["date": language.date(listed.seen)]),
            ]
            return SettingsEntry(
                title: listed.browser.nonEmpty.map(BrowserName.name) ?? words.unnamed,
                details: (isCurrent ? [words.current] : []) + details,
                forms: [
                    SettingsForm(
                        name: "session", value: listed.identifier, buttons: [.init(decision: "end", title: words.end)])
                ])
        }
        return SettingsContents(
            paragraphs: entries.isEmpty ? [words.none] : [], entries: entries,
            forms: [
                SettingsForm(buttons: [
                    .init(decision: "end-all", title: words.endAll),
                    .init(decision: "everywhere", title: words.everywhere),
                ])
            ],
            json: Answer(
                sessions: sessions.map { listed in
                    .init(
                        session: listed.identifier, browser: listed.browser, opened: listed.opened.milliseconds,
                        seen: listed.seen.milliseconds, isCurrent: listed.identifier == session?.identifier)
                }))
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        let words = SessionsWords.words(language)
        switch form.decision {
        case "show": return .stays(nil)
        case "end":
            let identifier = form.session ?? ""
            try await service.endSession(identifier, of: account)
            return identifier == session?.identifier ? .signedOut(words.signedOut) : .stays(words.ended)
        case "end-all", "everywhere":
            let isEverywhere = form.decision == "everywhere"
            try await service.endSessions(of: account, devices: isEverywhere)
            return .signedOut(isEverywhere ? words.everywhereEnded : words.allEnded)
        default:
            throw StoreFailure(.invalid, "decision is show, end, end-all, everywhere or sign-out.")
        }
    }

    /// The sessions for a script; times are in milliseconds since 1970.
    private struct Answer: Encodable {
        struct Listed: Encodable {
            var session: String
            var browser: String
            var opened: Int64
            var seen: Int64
            var isCurrent: Bool
        }

        var sessions: [Listed]
    }
}
