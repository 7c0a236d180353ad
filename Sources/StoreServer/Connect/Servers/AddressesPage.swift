// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The page of an app's notification addresses, with the test that was sent to
/// them last.
struct AddressesPage: ConnectPage {
    static let action: TeamAction? = .manageServers

    let app: BundleIdentifier

    static func path(_ app: BundleIdentifier) -> String { "\(AppPage.path(app))/notifications" }

    /// An address of the page, named by a short text.
    private struct Place {
        var environment: StoreEnvironment
        var address: NotificationAddress

        var identifier: String { AddressesPage.identifier(of: address.url, in: environment) }
    }

    /// The text by which forms and links name an address, which has up to
    /// 1,024 bytes: the beginning of a hash.
    static func identifier(of url: String, in environment: StoreEnvironment) -> String {
        let text = "\(environment.rawValue) \(url)"
        return Data(SHA256.hash(data: Data(text.utf8)).prefix(12)).hexadecimal
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let words = AddressWords.words(visit.language)
        let known = try await visit.service.registeringAddresses()(of: app, as: visit.user)
        let places = Self.places(known)
        let chosen = visit.typed.fields["address"] ?? visit.query["change"]
        let changed = places.first { $0.identifier == chosen }
        var sections = StoreEnvironment.all.map { environment in
            list(places.filter { $0.environment == environment }, environment, visit)
        }
        sections.insert(changed.map { change($0, visit) } ?? addition(visit), at: 0)
        sections.append(test(known, visit))
        let app = try await visit.service.appReader.app(app, as: visit.user)
        var model = ConsoleModel(visit, at: .apps, title: words.title, sections: sections)
        model.above = PageLink(AppPage.path(self.app), [:], app.name)
        return model
    }

    private static func places(_ known: RegisteringAddresses.Known) -> [Place] {
        StoreEnvironment.all.flatMap { environment in
            known.addresses[environment, default: []].map { Place(environment: environment, address: $0) }
        }
    }

    private func list(_ places: [Place], _ environment: StoreEnvironment, _ visit: ConnectVisit) -> ConsoleSection {
        let words = AddressWords.words(visit.language)
        return ConsoleSection(
            heading: words.name(environment),
            entries: places.map { place in
                ConsoleEntry(
                    name: place.address.url,
                    address: PageLink(Self.path(app), ["change": place.identifier], "").address,
                    details: [words.name(place.address.version)],
                    forms: [.button("remove", words.remove, of: "address", place.identifier)])
            },
            empty: places.isEmpty ? words.none : nil)
    }

    private func addition(_ visit: ConnectVisit) -> ConsoleSection {
        let words = AddressWords.words(visit.language)
        return ConsoleSection(
            heading: words.add, paragraphs: [words.note],
            forms: [
                ConsoleForm(
                    fields: fields(nil, visit), buttons: [.init(decision: "add", label: words.add, isPrimary: true)])
            ])
    }

    private func change(_ place: Place, _ visit: ConnectVisit) -> ConsoleSection {
        let (words, console) = (AddressWords.words(visit.language), ConsoleWords.words(visit.language))
        return ConsoleSection(
            heading: words.change,
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "address", hiddenValue: place.identifier)],
                    fields: fields(place, visit),
                    buttons: [.init(decision: "change", label: console.save, isPrimary: true)])
            ], links: [PageLink(Self.path(app), [:], words.add)])
    }

    private func fields(_ place: Place?, _ visit: ConnectVisit) -> [ConsoleField] {
        let words = AddressWords.words(visit.language)
        let environments = StoreEnvironment.all.map { ConsoleOption($0.rawValue, words.name($0)) }
        let versions = [NotificationVersion.two, .one].map { ConsoleOption(String($0.rawValue), words.name($0)) }
        let version = place?.address.version ?? .two
        return [
            visit.field(
                ConsoleField(
                    "url", words.url, type: "url", value: visit.value("url", place?.address.url ?? ""),
                    hint: words.urlHint)),
            visit.field(
                ConsoleField(
                    "environment", words.environment, options: environments,
                    chosen: visit.value("environment", (place?.environment ?? visit.environment).rawValue))),
            visit.field(
                ConsoleField(
                    "version", words.version, options: versions,
                    chosen: visit.value("version", String(version.rawValue)), hint: words.versionHint)),
        ]
    }

    private func test(_ known: RegisteringAddresses.Known, _ visit: ConnectVisit) -> ConsoleSection {
        let words = AddressWords.words(visit.language)
        let own = known.addresses[visit.environment, default: []]
        let maySend = own.contains { $0.version == .two }
        let report = known.test.map { TestReport($0, visit) }
        return ConsoleSection(
            heading: words.fill(\.test, ["environment": words.name(visit.environment)]),
            paragraphs: [maySend ? words.testNote : words.testNeedsAddress],
            entries: report.map { [$0.entry] } ?? [],
            forms: maySend ? [ConsoleForm(buttons: [.init(decision: "test", label: words.send)])] : [],
            links: report?.isWaiting == true ? [PageLink(Self.path(app), [:], words.reload)] : [])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let registering = try visit.service.registeringAddresses()
        let values = AddressValues(
            url: form["url"], version: form["version"], environment: form["environment"])
        switch form.decision {
        case "add": try await registering.add(values, of: app, by: visit.user)
        case "change":
            guard let place = try await place(form, visit) else { throw DomainError.changed }
            try await registering.change(
                place.address.url, in: place.environment, to: values, of: app, by: visit.user)
        case "remove":
            guard let place = try await place(form, visit) else {
                throw DomainError(.notFound, "The app has no such notification address.")
            }
            try await registering.remove(place.address.url, in: place.environment, of: app, by: visit.user)
        case "test":
            try await registering.sendTest(of: app, by: visit.user)
            return .visit("\(Self.path(app))?done=test")
        default: throw form.unknown
        }
        return .visit("\(Self.path(app))?done=saved")
    }

    private func place(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> Place? {
        let known = try await visit.service.registeringAddresses()(of: app, as: visit.user)
        return Self.places(known).first { $0.identifier == form["address"] }
    }
}
