// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of the browsers in which an account is signed in.
struct SessionsPage: AccountPage {
    static let place = AccountPlace.sessions
    let service: StoreService

    /// The texts of the page.
    private enum Words {
        static let unnamed = "A browser without a name"
        static let current = "This browser."
        static let none = "No browser is signed in: the password is typed for each answer."
        static let end = "Sign out there"
        static let endAll = "Sign out in all browsers"
        static let everywhere = "Sign out everywhere, on all devices too"
        static let ended = "The browser is signed out."
        static let allEnded = "All browsers are signed out."
        static let everywhereEnded = "All browsers and all devices are signed out."
        static let signedOut = "This browser is signed out."

        static func opened(_ date: String) -> String { "Signed in on \(date)." }
        static func seen(_ date: String) -> String { "Last used on \(date)." }
    }

    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents {
        let sessions = try await service.sessions(of: account)
        let entries = sessions.map { listed in
            let isCurrent = listed.identifier == session?.identifier
            let details = [
                Words.opened(SettingsWords.date(listed.opened)), Words.seen(SettingsWords.date(listed.seen)),
            ]
            return SettingsEntry(
                title: listed.browser.nonEmpty ?? Words.unnamed, details: (isCurrent ? [Words.current] : []) + details,
                forms: [
                    SettingsForm(
                        name: "session", value: listed.identifier, buttons: [.init(decision: "end", title: Words.end)])
                ])
        }
        return SettingsContents(
            paragraphs: entries.isEmpty ? [Words.none] : [], entries: entries,
            forms: [
                SettingsForm(buttons: [
                    .init(decision: "end-all", title: Words.endAll),
                    .init(decision: "everywhere", title: Words.everywhere),
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
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome {
        switch form.decision {
        case "show": return .stays(nil)
        case "end":
            let identifier = form.session ?? ""
            try await service.endSession(identifier, of: account)
            return identifier == session?.identifier ? .signedOut(Words.signedOut) : .stays(Words.ended)
        case "end-all", "everywhere":
            let isEverywhere = form.decision == "everywhere"
            try await service.endSessions(of: account, devices: isEverywhere)
            return .signedOut(isEverywhere ? Words.everywhereEnded : Words.allEnded)
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
