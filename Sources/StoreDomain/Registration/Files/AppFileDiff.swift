// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The changes that a `.storekit` file makes in the app of a team, value by
/// value.
package struct AppFileDiff: Hashable, Sendable {
    /// A changed object.
    package enum Subject: Hashable, Sendable {
        case product(ProductIdentifier)
        case group(SubscriptionGroupIdentifier)
        case app
    }

    package struct Change: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case added
            case changed
            /// The file lacks the product, which is taken off sale.
            case withdrawn
        }

        package var subject: Subject
        package var kind: Kind
        package var values: [ValueChange]
    }

    /// A value because of which the file can't be imported.
    package struct Problem: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Hashable, Sendable {
            /// The value of a registered product stays.
            case fixed
            /// Family Sharing isn't turned off again.
            case sharing
            /// Another app of the team has, or had, the product identifier.
            case taken
            /// The text has another form than a product identifier.
            case identifier
            case tooLong = "too-long"
            /// The app would have too many products.
            case tooMany = "too-many"
            case tooManyGroups = "too-many-groups"
            case tooManyLanguages = "too-many-languages"
            /// As many keys of the app's files were revoked as are kept.
            case tooManyKeys = "too-many-keys"
            /// The app would have more than ``Problem/limit`` MB of texts, prices and offers.
            case tooLarge = "too-large"
        }

        package var kind: Kind
        package var subject: Subject
        package var value: ValueChange.Name?
        package var limit: Int?
    }

    /// The groups and the app before the products.
    package var changes: [Change] = []
    package var problems: [Problem] = []
    /// The products that the file adds or changes and that aren't sold
    /// afterwards, because they lack a display name and a description.
    package var incomplete: [ProductIdentifier] = []

    /// The new state of the changed products.
    var products: [Product] = []
    var added: Set<ProductIdentifier> = []
    var withdrawn: [ProductIdentifier] = []
    var groups: [SubscriptionGroup] = []
    var gracePeriodDays: Int?

    /// The most characters of a text of a file.
    package static let longestText = 1000
    /// The most languages of an app's products and groups together. A table has two columns for each.
    static let mostLanguages = 100

    package var isEmpty: Bool { changes.isEmpty }

    /// Compares a file with the state of an app. `taken` are the identifiers
    /// of the file that other apps of the team have. With `withdraws` the
    /// products that the file lacks are taken off sale.
    init(
        of file: StoreKitConfigurationFile, over state: AppState, taken: Set<ProductIdentifier>, withdraws: Bool
    ) {
        compareApp(file, state)
        let known = Dictionary(state.products.map { ($0.product.productIdentifier, $0) }) { first, _ in first }
        for var product in file.products {
            let old = known[product.productIdentifier]
            // A file of Xcode doesn't say in which countries a product is sold.
            product.exclusions = file.exclusions[product.productIdentifier] ?? old?.product.exclusions ?? []
            // Neither does it say how prices follow from the base price.
            if product.pricing == .sameNumber, let pricing = old?.product.pricing { product.pricing = pricing }
            compare(product, with: old, isTaken: taken.contains(product.productIdentifier))
        }
        if withdraws { withdraw(from: state, keeping: Set(file.products.map(\.productIdentifier))) }
        limit(.tooMany, to: ProductRegistration.limit, known.count, known.count + added.count)
        checkGroups(state)
        if !state.hasRoom(for: products, groups: groups) {
            problems.append(Problem(kind: .tooLarge, subject: .app, limit: AppCatalogue.largest >> 20))
        }
    }

    /// Adds the problem of an app that grows over a limit. One that is over it already may change.
    private mutating func limit(
        _ kind: Problem.Kind, to limit: Int, _ before: Int, _ after: Int
    ) {
        guard after > limit, after > before else { return }
        problems.append(Problem(kind: kind, subject: .app, limit: limit))
    }

    private mutating func checkGroups(_ state: AppState) {
        let known = Set(state.groups.map(\.identifier))
        limit(
            .tooManyGroups, to: SubscriptionGroup.limit, known.count,
            known.count + groups.count { !known.contains($0.identifier) })
        let languages = state.languages
        let new = (products.flatMap(\.localizations) + groups.flatMap(\.localizations)).map(\.locale)
        limit(.tooManyLanguages, to: Self.mostLanguages, languages.count, languages.union(new).count)
    }

    /// The version of the changes: another one if any value differs.
    package var version: String { Self.version(of: changes) }

    /// The changes for the log.
    var text: String { Self.text(of: changes) }

    static func version(of changes: [Change]) -> String {
        let lines = changes.map { change in
            ([change.kind.rawValue, change.subject.text] + change.values.map(\.text)).joined(separator: "\u{1F}")
        }
        return Data(SHA256.hash(data: Data(lines.joined(separator: "\u{1E}").utf8))).hexadecimal
    }

    static func text(of changes: [Change]) -> String {
        changes.map { change in
            "\(change.subject.text) \(change.kind.rawValue): " + change.values.map(\.text).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private mutating func compareApp(_ file: StoreKitConfigurationFile, _ state: AppState) {
        let known = Dictionary(state.groups.map { ($0.identifier, $0) }) { first, _ in first }
        for group in file.groups {
            let old = known[group.identifier]
            let values = ValueChange.between(old?.values ?? [:], group.values)
            guard !values.isEmpty else { continue }
            checkLengths(of: values, .group(group.identifier))
            groups.append(group)
            changes.append(
                Change(subject: .group(group.identifier), kind: old == nil ? .added : .changed, values: values))
        }
        var values: [ValueChange] = []
        // A file says that there is a grace period, not how long it is: one that has a length keeps it.
        if let isOn = file.hasGracePeriod, isOn != (state.gracePeriodDays > 0) {
            let days = isOn ? App.usualGracePeriodDays : 0
            gracePeriodDays = days
            values.append(
                ValueChange(name: .gracePeriod, before: String(state.gracePeriodDays), after: String(days)))
        }
        if let key = file.offerKey, !state.keys.contains(where: { $0.isSame(as: key) }) {
            values.append(ValueChange(name: .offerKey, before: state.keys.first?.identifier, after: key.identifier))
            if InAppPurchaseKey.areTooMany(state.keys) {
                problems.append(
                    Problem(
                        kind: .tooManyKeys, subject: .app, value: .offerKey, limit: InAppPurchaseKey.revokedLimit))
            }
        }
        if !values.isEmpty { changes.append(Change(subject: .app, kind: .changed, values: values)) }
    }

    private mutating func compare(_ product: Product, with old: ProductRegistration?, isTaken: Bool) {
        let identifier = product.productIdentifier
        let values = ValueChange.between(old?.fileValues ?? [:], product.values)
        guard !values.isEmpty else { return }
        if let old {
            problems += Self.fixed.filter { old.fileValues[$0] != product.values[$0] }.map {
                Problem(kind: .fixed, subject: .product(identifier), value: $0)
            }
            if old.product.isFamilyShareable, !product.isFamilyShareable {
                problems.append(Problem(kind: .sharing, subject: .product(identifier)))
            }
        } else {
            checkIdentifier(of: product, isTaken: isTaken)
            added.insert(identifier)
        }
        checkLengths(of: values, .product(identifier))
        products.append(product)
        if !product.localizations.contains(where: { !$0.title.isEmpty && !$0.description.isEmpty }) {
            incomplete.append(identifier)
        }
        changes.append(
            Change(subject: .product(identifier), kind: old == nil ? .added : .changed, values: values))
    }

    /// The values of a registered product that stay.
    private static let fixed: [ValueChange.Name] = [.kind, .group, .period]

    private mutating func checkIdentifier(of product: Product, isTaken: Bool) {
        let subject = Subject.product(product.productIdentifier)
        var checks = FieldChecks()
        checks.identifier(
            product.productIdentifier.rawValue, field: "product", longest: ProductRegistration.longestIdentifier,
            with: "-._")
        if (try? checks.finish()) == nil { problems.append(Problem(kind: .identifier, subject: subject)) }
        if isTaken { problems.append(Problem(kind: .taken, subject: subject)) }
    }

    private mutating func checkLengths(of values: [ValueChange], _ subject: Subject) {
        for value in values where (value.after?.count ?? 0) > Self.longestText {
            problems.append(
                Problem(kind: .tooLong, subject: subject, value: value.name, limit: Self.longestText))
        }
    }

    private mutating func withdraw(from state: AppState, keeping kept: Set<ProductIdentifier>) {
        for product in state.products where product.isInFile && !kept.contains(product.product.productIdentifier) {
            withdrawn.append(product.product.productIdentifier)
            changes.append(
                Change(
                    subject: .product(product.product.productIdentifier), kind: .withdrawn,
                    values: [ValueChange(name: .isForSale, before: "yes", after: "no")]))
        }
    }
}

extension AppFileDiff.Subject {
    /// The object in the log, which is in English.
    var text: String {
        switch self {
        case .product(let identifier): identifier.rawValue
        case .group(let identifier): "group \(identifier)"
        case .app: "app"
        }
    }
}

extension ProductRegistration {
    /// The values of the product that a file has: a product that isn't
    /// complete has no price, and one that the seller doesn't sell isn't sold.
    var fileValues: [ValueChange.Name: String] {
        var values = product.values
        if !hasPrice { values[.price] = nil }
        values[.isForSale] = isCleared ? "yes" : "no"
        return values
    }
}

extension InAppPurchaseKey {
    fileprivate func isSame(as key: StoreKitConfigurationFile.OfferKey) -> Bool {
        identifier == key.identifier && publicKey == key.publicKey
    }
}
