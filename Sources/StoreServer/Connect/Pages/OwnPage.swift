// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page on which users change their own name, password, authenticator app
/// and sessions.
struct OwnPage: ConnectPage {
    static let action: TeamAction? = nil

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        ConsoleModel(
            visit, at: .account,
            sections: [name(visit), password(visit), try await codes(visit), try await sessions(visit)])
    }

    private func name(_ visit: ConnectVisit) -> ConsoleSection {
        let words = OwnWords.words(visit.language)
        let role = RoleWords.words(visit.language).name(visit.user.role)
        return ConsoleSection(
            paragraphs: [words.fill(\.role, ["role": role])],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(
                            ConsoleField(
                                "name", words.name, value: visit.value("name", visit.user.name), autocomplete: "name"))
                    ],
                    buttons: [.init(decision: "name", label: ConsoleWords.words(visit.language).save, isPrimary: true)])
            ])
    }

    private func password(_ visit: ConnectVisit) -> ConsoleSection {
        let words = OwnWords.words(visit.language)
        return ConsoleSection(
            heading: words.password,
            forms: [
                ConsoleForm(
                    fields: [
                        presentPassword("password", words.present, visit),
                        mark(
                            ConsoleField(
                                "newPassword", words.new, type: "password", autocomplete: "new-password",
                                hint: words.passwordHint), "password", visit),
                    ],
                    buttons: [.init(decision: "password", label: words.changePassword, isPrimary: true)])
            ])
    }

    /// The field of the password that a form needs.
    private func presentPassword(_ decision: String, _ label: String, _ visit: ConnectVisit) -> ConsoleField {
        mark(
            ConsoleField("password", label, type: "password", autocomplete: "current-password"), decision, visit)
    }

    /// A field with its problem, if the form of the decision was sent.
    private func mark(_ field: ConsoleField, _ decision: String, _ visit: ConnectVisit) -> ConsoleField {
        visit.typed.decision.hasPrefix(decision) ? visit.field(field) : field
    }

    private func codes(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let words = OwnWords.words(visit.language)
        if visit.user.usesCodes {
            let count = try await visit.service.changingOwnUser().recoveryCodes(of: visit.user)
            return ConsoleSection(
                heading: words.app, paragraphs: [words.fill(\.appOn, ["count": visit.language.number(count)])],
                forms: [
                    ConsoleForm(
                        fields: [presentPassword("codes-", words.passwordToConfirm, visit)],
                        buttons: [
                            .init(decision: "codes-new", label: words.newCodes),
                            .init(decision: "codes-end", label: words.end, isGrave: true),
                        ])
                ])
        }
        guard let secret = visit.user.pendingSecret else {
            return ConsoleSection(
                heading: words.app, paragraphs: [words.appOff],
                forms: [
                    ConsoleForm(
                        fields: [presentPassword("codes-", words.passwordToConfirm, visit)],
                        buttons: [.init(decision: "codes-begin", label: words.begin)])
                ])
        }
        return await pending(secret, visit)
    }

    private func pending(_ secret: OneTimePassword, _ visit: ConnectVisit) async -> ConsoleSection {
        let words = OwnWords.words(visit.language)
        let address = secret.address(for: visit.user.email, issuer: "Connect \(visit.team.name)")
        let code = await visit.service.qrCode(of: address).map { ConsoleQRCode($0, text: words.qrCode) }
        return ConsoleSection(
            heading: words.app, paragraphs: (code == nil ? [] : [words.scan]) + [words.pending], code: code,
            copies: [ConsoleCopy(label: words.secret, lines: [secret.text])],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(ConsoleField("code", words.code, autocomplete: "one-time-code"))
                    ],
                    buttons: [
                        .init(decision: "codes-use", label: words.confirm, isPrimary: true),
                        .init(decision: "codes-forget", label: words.cancel),
                    ])
            ],
            links: [PageLink(address: address, name: words.link, isHere: false)])
    }

    private func sessions(_ visit: ConnectVisit) async throws -> ConsoleSection {
        let words = OwnWords.words(visit.language)
        let sessions = try await visit.service.teamSessions.list(of: visit.user)
        return ConsoleSection(
            heading: words.sessions,
            entries: sessions.map { listed in
                let isCurrent = listed.identifier == visit.session.identifier
                let times = words.fill(
                    \.opened,
                    ["opened": visit.language.date(listed.opened), "seen": visit.language.date(listed.seen)])
                return ConsoleEntry(
                    name: listed.browser.nonEmpty.map(BrowserName.name) ?? words.unnamed, details: [times],
                    note: isCurrent ? words.current : nil,
                    forms: isCurrent
                        ? [] : [.button("end-session", words.endSession, of: "session", listed.identifier)])
            },
            forms: sessions.count > 1
                ? [ConsoleForm(buttons: [.init(decision: "end-others", label: words.endOthers)])] : [])
    }
}
