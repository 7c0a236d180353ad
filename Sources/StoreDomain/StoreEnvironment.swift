// SPDX-License-Identifier: Apache-2.0

/// One of the two stores of a server: test money or real money.
///
/// It is part of the keys of every table except the catalogue's,
/// `sandbox_payment` and `copy_under_way`.
package struct StoreEnvironment: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Test accounts; nothing is charged.
    package static let sandbox = StoreEnvironment(rawValue: "Sandbox")
    /// Real payments.
    package static let production = StoreEnvironment(rawValue: "Production")

    /// The environment that this one isn't.
    var other: StoreEnvironment { self == .production ? .sandbox : .production }

    /// All environments.
    package static let all = [sandbox, production]

    /// The first digit of the environment's transaction identifiers, as in
    /// Apple's.
    var transactionPrefix: String { self == .production ? "4" : "2" }
}
