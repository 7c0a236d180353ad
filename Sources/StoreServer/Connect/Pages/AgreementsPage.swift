// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The contract of a team with the operator, its bank account and its tax
/// form.
struct AgreementsPage: ConnectPage {
    static let action: TeamAction? = .seeAgreements

    /// The most bytes of a contract that the page shows. A longer one is at
    /// its own address only.
    private static let longestShown = 10_000

    static func path(_ contract: Int64) -> String { "\(ConnectPlace.agreements.rawValue)/\(contract)" }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let found = try await visit.service.agreementReader.agreements(as: visit.user)
        let words = AgreementWords.words(visit.language)
        var sections = [state(found, words, visit)]
        if !found.isOperator {
            sections.append(contract(found, words, visit))
            sections.append(bank(found.payee, words, visit))
            sections.append(tax(found.payee, words, visit))
        }
        return ConsoleModel(visit, at: .agreements, sections: sections)
    }

    private func state(_ found: TeamAgreements, _ words: AgreementWords, _ visit: ConnectVisit) -> ConsoleSection {
        var paragraphs = [found.isOperator ? words.ofOperator : words.note]
        if !found.isOperator {
            paragraphs.append(
                found.missing.isEmpty
                    ? words.inForce : words.fill(\.missing, ["values": words.list(found.missing)]))
        }
        if visit.environment == .sandbox { paragraphs.append(words.sandboxNote) }
        return ConsoleSection(paragraphs: paragraphs)
    }

    private func contract(
        _ found: TeamAgreements, _ words: AgreementWords, _ visit: ConnectVisit
    ) -> ConsoleSection {
        guard let newest = found.newest else {
            return ConsoleSection(heading: words.contract, empty: words.noContract)
        }
        let language = visit.language
        var section = ConsoleSection(
            heading: words.fill(\.versionIs, ["number": String(newest.number)]),
            paragraphs: [words.fill(\.dueOn, ["date": language.date(newest.due)])],
            links: [PageLink(Self.path(newest.number), [:], words.read)])
        if let accepted = found.accepted {
            section.paragraphs.append(
                words.fill(
                    \.acceptedBy,
                    [
                        "number": String(accepted.number), "name": accepted.name.isolated,
                        "date": language.date(accepted.accepted),
                    ]))
        }
        if newest.text.utf8.count <= Self.longestShown {
            section.copies = [ConsoleCopy(label: words.text, lines: [newest.text])]
        }
        guard found.isOpen else { return section }
        guard visit.user.role.may(.acceptAgreements) else {
            section.paragraphs.append(words.holderAccepts)
            return section
        }
        section.forms = [
            ConsoleForm(
                hidden: [.init(hiddenName: "number", hiddenValue: String(newest.number))],
                buttons: [.init(decision: "accept", label: words.accept, isPrimary: true)])
        ]
        return section
    }

    private func bank(_ payee: Payee, _ words: AgreementWords, _ visit: ConnectVisit) -> ConsoleSection {
        let saved = payee.bank
        var section = ConsoleSection(
            heading: words.bank, paragraphs: saved.map { ["\($0.holder.isolated), \($0.iban.masked)"] } ?? [],
            empty: saved == nil ? words.noBank : nil)
        guard visit.user.role.may(.editPayee) else { return section }
        section.forms = [
            form(
                "bank", payee,
                [
                    ConsoleField("holder", words.holder, value: visit.value("holder", saved?.holder ?? "")),
                    ConsoleField(
                        "iban", words.iban, value: visit.value("iban"), hint: saved == nil ? nil : words.ibanHint),
                    ConsoleField("bic", words.bic, value: visit.value("bic", saved?.bic ?? ""), isRequired: false),
                ], visit)
        ]
        return section
    }

    private func tax(_ payee: Payee, _ words: AgreementWords, _ visit: ConnectVisit) -> ConsoleSection {
        let saved = payee.tax
        var section = ConsoleSection(
            heading: words.tax,
            paragraphs: saved.map { ["\($0.legalName.isolated), \($0.country), \($0.maskedNumber)"] } ?? [],
            empty: saved == nil ? words.noTax : nil)
        guard visit.user.role.may(.editPayee) else { return section }
        var address = ConsoleField("address", words.address, lines: visit.value("address", saved?.address ?? ""))
        address.isRequired = true
        section.forms = [
            form(
                "tax", payee,
                [
                    ConsoleField(
                        "legalName", words.legalName, value: visit.value("legalName", saved?.legalName ?? "")),
                    address,
                    ConsoleField(
                        "country", words.country, value: visit.value("country", saved?.country ?? ""),
                        hint: words.countryHint),
                    ConsoleField(
                        "taxNumber", words.number, value: visit.value("taxNumber"),
                        hint: saved == nil ? nil : words.numberHint),
                ], visit)
        ]
        return section
    }

    private func form(
        _ decision: String, _ payee: Payee, _ fields: [ConsoleField], _ visit: ConnectVisit
    ) -> ConsoleForm {
        ConsoleForm(
            hidden: [.init(hiddenName: "version", hiddenValue: String(payee.version))],
            fields: fields.map { visit.field($0) },
            buttons: [
                .init(decision: decision, label: ConsoleWords.words(visit.language).save, isPrimary: true)
            ])
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        let signing = try visit.service.signingAgreements()
        let version = Int64(form["version"]) ?? -1
        switch form.decision {
        case "accept": try await signing.accept(Int64(form["number"]) ?? -1, by: visit.user)
        case "bank":
            let values = Payee.BankValues(holder: form["holder"], iban: form["iban"], bic: form["bic"])
            try await signing.setBank(values, version: version, by: visit.user)
        case "tax":
            let values = Payee.TaxValues(
                legalName: form["legalName"], address: form["address"], country: form["country"],
                number: form["taxNumber"])
            try await signing.setTax(values, version: version, by: visit.user)
        default: throw form.unknown
        }
        return .visit("\(ConnectPlace.agreements.rawValue)?done=saved")
    }
}
