// SPDX-License-Identifier: Apache-2.0

/// The changes that a configuration file makes in an app's catalogue, and
/// those that it doesn't make because the product was edited elsewhere.
package struct CatalogueImport: Hashable, Sendable {
    /// A change that isn't made, with the edit that it would replace.
    package struct Refusal: Hashable, Sendable {
        package var change: CatalogueChange
        package var edit: ProductEdit
    }

    /// A line of the report: a changed object, and its change.
    package struct Line: Hashable, Sendable {
        /// A product's identifier, `group` and a group's, or `grace period`.
        package var subject: String
        /// The change, to follow the subject.
        package var change: String
    }

    /// The file's name.
    package var file: String
    /// The groups that are new or have other values, in the order of the
    /// file. They are saved before the products.
    package var groups: [SubscriptionGroupChange] = []
    /// The changes in the order of the file, then the withdrawn products and
    /// those that are taken back, each in the order of their identifiers.
    package var changes: [CatalogueChange] = []
    /// The changes that aren't made, in the same order.
    package var refusals: [Refusal] = []
    /// The days of the app's grace period before and after the import; `nil`
    /// when they stay as they are.
    package var gracePeriod: GracePeriod?

    /// A change of an app's grace period, in days.
    package struct GracePeriod: Hashable, Sendable {
        /// 0 for an app without a grace period.
        package var before: Int
        /// 0 for an app without a grace period.
        package var after: Int
    }

    /// The import of a file without changes.
    init(file: String) {
        self.file = file
    }

    /// Compares a file with the catalogue of an app.
    ///
    /// A product that was edited elsewhere since its last import stays as it
    /// is, unless `overwritesEdits`. Then it is the file's again, also if it
    /// has no differences, so that later imports change it. Another group or
    /// period of a product is
    /// a change like any other: it applies to new purchases, because a
    /// subscription keeps its own.
    init(of configuration: StoreKitConfigurationFile, over catalogue: AppCatalogue, overwritesEdits: Bool) {
        self.init(file: configuration.name)
        compareGroups(configuration.groups, with: catalogue.groups)
        compareGracePeriod(configuration.hasGracePeriod, with: catalogue.gracePeriodDays)
        let before = Dictionary(catalogue.products.map { ($0.product.productIdentifier, $0) }) { first, _ in first }
        func add(_ change: CatalogueChange) {
            let edit = before[change.productIdentifier]?.edit
            if let edit, edit.source != .file, !overwritesEdits {
                refusals.append(Refusal(change: change, edit: edit))
            } else {
                changes.append(change)
            }
        }
        for var product in configuration.products {
            let old = before[product.productIdentifier]?.product
            // A file of Xcode doesn't say in which countries a product is sold.
            product.exclusions = configuration.exclusions[product.productIdentifier] ?? old?.exclusions ?? []
            guard let old else {
                add(.added(product))
                continue
            }
            let differences = old.differences(to: product)
            if !differences.isEmpty { add(.changed(product, differences)) }
        }
        let kept = Set(configuration.products.map(\.productIdentifier))
        let withdrawn = before.values.map(\.product).filter { $0.isForSale && !kept.contains($0.productIdentifier) }
        for identifier in withdrawn.map(\.productIdentifier).sorted() { add(.withdrawn(identifier)) }
        if overwritesEdits { takeBack(catalogue.products) }
    }

    /// Adds the products that were edited elsewhere and have no change.
    private mutating func takeBack(_ products: [CataloguedProduct]) {
        let changed = Set(changes.map(\.productIdentifier))
        let edited = products.filter { $0.edit.source != .file }.map(\.product.productIdentifier)
        changes += edited.filter { !changed.contains($0) }.sorted().map(CatalogueChange.takenBack)
    }

    private mutating func compareGroups(_ new: [SubscriptionGroup], with old: [SubscriptionGroup]) {
        let before = Dictionary(old.map { ($0.identifier, $0) }) { first, _ in first }
        for group in new {
            guard let old = before[group.identifier] else {
                groups.append(.added(group))
                continue
            }
            let differences = old.differences(to: group)
            if !differences.isEmpty { groups.append(.changed(group, differences)) }
        }
    }

    /// A file says that there is a grace period, not how long it is: one that
    /// has a length keeps it.
    private mutating func compareGracePeriod(_ isOn: Bool?, with days: Int) {
        guard let isOn, isOn != (days > 0) else { return }
        gracePeriod = GracePeriod(before: days, after: isOn ? App.usualGracePeriodDays : 0)
    }

    /// The changes of the import.
    package var changed: [Line] {
        groups.map { Line(subject: "group \($0.group.identifier)", change: $0.description) }
            + changes.map { Line(subject: $0.productIdentifier.rawValue, change: $0.description) }
            + (gracePeriod.map { days in
                [Line(subject: "grace period", change: "changed: from \(days.before) to \(days.after) days")]
            } ?? [])
    }

    /// The products that the import leaves alone.
    package var leftAlone: [Line] {
        refusals.map { refusal in
            Line(
                subject: refusal.change.productIdentifier.rawValue,
                change: """
                    left alone, because \(refusal.edit.editor) edited it (edit \(refusal.edit.number)); with \
                    --overwrite-edits it is \(refusal.change.description)
                    """)
        }
    }

    /// One line for each object that is changed or left alone.
    package var lines: [String] {
        (changed + leftAlone).map { "\(file): \($0.subject): \($0.change)." }
    }
}

extension ProductEdit {
    fileprivate var editor: String {
        switch source {
        case .operator: "the store's operator"
        case .seller: "its seller"
        default: "\"\(source.rawValue)\""
        }
    }
}
