// SPDX-License-Identifier: Apache-2.0

/// A product that a team registers: the values that never change, and the
/// first ones of those that do.
package struct NewProduct: Sendable {
    package var kind: String
    package var identifier: String
    /// The group of a subscription; empty for a new one.
    package var group = ""
    /// The name of a new group.
    package var newGroup = ""
    /// The period of a subscription in ISO 8601.
    package var period = ""
    package var values: ProductRegistration.Values

    package init(kind: String, identifier: String, values: ProductRegistration.Values) {
        self.kind = kind
        self.identifier = identifier
        self.values = values
    }

    /// The checked product, and the group that is saved before it.
    struct Checked: Sendable {
        var registration: ProductRegistration
        var newGroup: SubscriptionGroup?
    }

    /// Checks all values. `groupIdentifier` is that of a new group.
    ///
    /// - Throws: ``InvalidFields``.
    func checked(in app: BundleIdentifier, groupIdentifier: String) throws -> Checked {
        var checks = FieldChecks()
        let identifier = identifier.trimmingWhitespace()
        let kind = Product.Kind(rawValue: kind)
        checks.identifier(identifier, field: "product", longest: ProductRegistration.longestIdentifier, with: "-._")
        if !ProductRegistration.kinds.contains(kind) { checks.add("kind", kind.rawValue.isEmpty ? .missing : .unknown) }
        var product = Product(
            bundleIdentifier: app, productIdentifier: ProductIdentifier(identifier), kind: kind, referenceName: "",
            milliunits: 0, localizations: [])
        product.pricing = .equalised
        var new: SubscriptionGroup?
        if kind == .autoRenewable {
            new = checkedGroup(in: app, groupIdentifier, &checks)
            product.plan = plan(in: new?.identifier ?? SubscriptionGroupIdentifier(group), &checks)
        }
        let empty = ProductRegistration(
            product: product, hasPrice: false, isCleared: false, review: .prepared, version: 1)
        return Checked(registration: try Self.with(values, empty, &checks), newGroup: new)
    }

    /// All problems of a form together.
    private static func with(
        _ values: ProductRegistration.Values, _ empty: ProductRegistration, _ checks: inout FieldChecks
    ) throws -> ProductRegistration {
        do {
            let registration = try empty.with(values)
            try checks.finish()
            return registration
        } catch let error as InvalidFields {
            checks.add(error.problems)
            try checks.finish()
            throw error
        }
    }

    private func checkedGroup(
        in app: BundleIdentifier, _ identifier: String, _ checks: inout FieldChecks
    ) -> SubscriptionGroup? {
        guard group.isEmpty else { return nil }
        let name = checks.text(newGroup, field: "newGroup", longest: ProductRegistration.longestReferenceName)
        return SubscriptionGroup(
            bundleIdentifier: app, identifier: SubscriptionGroupIdentifier(identifier), referenceName: name)
    }

    private func plan(in group: SubscriptionGroupIdentifier, _ checks: inout FieldChecks) -> Product.Plan {
        let known = ProductRegistration.periods.contains(period) ? SubscriptionPeriod(iso8601: period) : nil
        if known == nil { checks.add("period", period.isEmpty ? .missing : .unknown) }
        return Product.Plan(group: group, level: 1, period: known ?? SubscriptionPeriod(1, .month))
    }
}
