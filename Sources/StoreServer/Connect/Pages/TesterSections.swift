// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The sections of a sandbox tester's page.
struct TesterSections {
    let record: TesterRecord
    let visit: ConnectVisit
    let words: TesterWords

    init(_ record: TesterRecord, _ visit: ConnectVisit) {
        self.record = record
        self.visit = visit
        words = .words(visit.language)
    }

    /// The sections of a user who may change the tester.
    var changes: [ConsoleSection] { waiting + [settings, clock, family, clearing, removal] }
    /// The sections of a user who may not.
    var reading: [ConsoleSection] { [ConsoleSection(heading: words.family, entries: members, empty: noFamily)] }

    var facts: ConsoleSection {
        let account = record.account
        var lines: [ConsoleFacts.Line] = [
            .init(words.storefront, StorefrontNames.name(account.storefront, in: visit.language)),
            .init(words.time, visit.language.date(record.time)),
            .init(words.speed, speed(account.clock.speed)),
        ]
        if let name = account.name { lines.insert(.init(words.name, name), at: 0) }
        if let next = record.nextStep { lines.append(.init(words.nextStep, visit.language.date(next))) }
        var links = [PageLink(ConnectPlace.live.rawValue, ["tester": account.email], words.live)]
        if visit.user.role.may(.seeTransactions) {
            links.insert(
                PageLink(ConnectPlace.transactions.rawValue, ["q": account.email], words.transactions), at: 0)
        }
        return ConsoleSection(
            paragraphs: AccountSwitch.all.filter(account.has).map { words.name($0) + "." },
            facts: ConsoleFacts(lines: lines), links: links)
    }

    private func speed(_ speed: RenewalSpeed) -> String {
        speed == .realTime ? words.realTime : String(speed.rawValue.drop { $0 != "=" }.dropFirst())
    }

    private var waiting: [ConsoleSection] {
        guard !record.waiting.isEmpty else { return [] }
        return [
            ConsoleSection(
                heading: words.waiting,
                entries: record.waiting.map { request in
                    let transaction = request.transactionIdentifier?.rawValue ?? ""
                    let hidden = ConsoleForm.Hidden(hiddenName: "transaction", hiddenValue: transaction)
                    return ConsoleEntry(
                        name: request.productIdentifier?.rawValue ?? "", details: [transaction],
                        forms: [
                            ConsoleForm(
                                hidden: [hidden],
                                buttons: [
                                    .init(decision: "approve", label: words.approve),
                                    .init(decision: "decline", label: words.decline, isGrave: true),
                                ])
                        ])
                })
        ]
    }

    private var settings: ConsoleSection {
        let present = TesterSettings(record.account)
        let products = ProductWords.words(visit.language)
        var name = ConsoleField("name", words.name, value: visit.value("name", present.name))
        name.isRequired = false
        let switches = AccountSwitch.all.map { setting in
            visit.field(
                ConsoleField(
                    setting.name, words.name(setting), options: products.yesOrNo,
                    chosen: visit.value(setting.name, present.switches.contains(setting) ? "yes" : "no")))
        }
        return ConsoleSection(
            heading: words.settings,
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "before", hiddenValue: present.text)],
                    fields: [
                        visit.field(name),
                        visit.field(
                            ConsoleField(
                                "storefront", words.storefront, options: StorefrontNames.options(in: visit.language),
                                chosen: visit.value("storefront", present.storefront))),
                    ] + switches,
                    buttons: [
                        .init(decision: "save", label: ConsoleWords.words(visit.language).save, isPrimary: true)
                    ])
            ])
    }

    private var clock: ConsoleSection {
        ConsoleSection(
            heading: words.clock, paragraphs: [words.clockNote],
            forms: [
                ConsoleForm(
                    fields: [
                        visit.field(
                            ConsoleField(
                                "by", words.moveBy, options: ClockChoice.options(words),
                                chosen: visit.value("by", record.nextStep == nil ? "1d" : "next")))
                    ],
                    buttons: [.init(decision: "move", label: words.move)]),
                ConsoleForm(
                    fields: [
                        visit.field(
                            ConsoleField(
                                "speed", words.speed,
                                options: RenewalSpeed.all.map { ConsoleOption($0.rawValue, speed($0)) },
                                chosen: visit.value("speed", record.account.clock.speed.rawValue)))
                    ],
                    buttons: [.init(decision: "speed", label: words.setSpeed)]),
            ])
    }

    private var members: [ConsoleEntry] {
        (record.family?.members ?? []).map { member in
            ConsoleEntry(
                name: member.email, address: TesterPage.path(member.account),
                details: member.asksToBuy ? [words.asksToBuy] : [], note: words.name(member.role))
        }
    }

    private var noFamily: String? { record.family == nil ? words.noFamily : nil }

    private var family: ConsoleSection {
        ConsoleSection(heading: words.family, entries: members, empty: noFamily, forms: familyForms)
    }

    private var familyForms: [ConsoleForm] {
        guard let role = record.family?.member(record.account.identifier)?.role else {
            return [ConsoleForm(buttons: [.init(decision: "family-begin", label: words.beginFamily)])]
        }
        guard role == .organiser else {
            return [ConsoleForm(buttons: [.init(decision: "family-leave", label: words.leaveFamily, isGrave: true)])]
        }
        return [
            addition, ConsoleForm(buttons: [.init(decision: "family-end", label: words.endFamily, isGrave: true)]),
        ]
    }

    /// The form of another member of the family.
    private var addition: ConsoleForm {
        let roles = FamilyMember.Role.all.filter { $0 != .organiser }
        return ConsoleForm(
            fields: [
                visit.field(
                    ConsoleField(
                        "email", words.member, type: "email", value: visit.value("email"), hint: words.memberHint)),
                visit.field(
                    ConsoleField(
                        "role", words.role, options: roles.map { ConsoleOption($0.rawValue, words.name($0)) },
                        chosen: visit.value("role", FamilyMember.Role.child.rawValue))),
            ],
            buttons: [.init(decision: "family-add", label: words.addMember)])
    }

    private var clearing: ConsoleSection {
        ConsoleSection(
            heading: words.clear, paragraphs: [words.clearNote],
            forms: [ConsoleForm(buttons: [.init(decision: "clear", label: words.clearButton, isGrave: true)])])
    }

    private var removal: ConsoleSection {
        ConsoleSection(
            heading: words.remove, paragraphs: [words.removeNote],
            forms: [ConsoleForm(buttons: [.init(decision: "remove", label: words.removeButton, isGrave: true)])])
    }
}
