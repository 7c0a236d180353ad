// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of an app's shared secret and its team's master secret.
struct SecretsPage: ConnectPage {
    static let action: TeamAction? = .manageServers

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/secrets" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = SecretWords.words(visit.language)
        let secrets = try await visit.service.sharedSecrets(of: app, as: visit.user)
        let app = try await visit.service.appReader.app(app, as: visit.user)
        var model = ConsoleModel(
            visit, at: .apps, title: words.title,
            sections: SharedSecrets.Owner.allCases.map { section($0, secrets, words) })
        model.above = PageLink(AppPage.path(self.app), [:], app.name)
        return model
    }

    private func section(
        _ owner: SharedSecrets.Owner, _ secrets: SharedSecrets, _ words: SecretWords
    ) -> ConsoleSection {
        let secret = secrets[owner]
        let (heading, note) = owner == .app ? (words.app, words.appNote) : (words.master, words.masterNote)
        return ConsoleSection(
            heading: heading, paragraphs: [note] + (secret == nil ? [words.none] : [words.warning]),
            copies: secret.map { [ConsoleCopy(label: words.password, lines: [$0])] } ?? [],
            forms: [
                ConsoleForm(
                    hidden: [
                        .init(hiddenName: "owner", hiddenValue: owner.rawValue),
                        .init(hiddenName: "version", hiddenValue: secrets.version(of: owner)),
                    ],
                    buttons: [
                        .init(
                            decision: "make", label: secret == nil ? words.make : words.again,
                            isPrimary: secret == nil, isGrave: secret != nil)
                    ])
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        guard form.decision == "make" else { throw form.unknown }
        guard let owner = SharedSecrets.Owner(rawValue: form["owner"]) else {
            throw StoreFailure(.invalid, "A shared secret is of \"app\" or \"master\".")
        }
        try await visit.service.makeSharedSecret(owner, version: form["version"], of: app, by: visit.user)
        return .visit("\(Self.path(app))?done=secret")
    }
}
