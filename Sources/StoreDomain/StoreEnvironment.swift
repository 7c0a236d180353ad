// SPDX-License-Identifier: Apache-2.0

/// Which of the two stores of one server: test money or real money.
///
/// It is part of every key but the catalogue's.
package struct StoreEnvironment: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Test accounts; nothing is charged.
    package static let sandbox = StoreEnvironment(rawValue: "Sandbox")
    /// Real payments.
    package static let production = StoreEnvironment(rawValue: "Production")

    /// Every environment that there is.
    static let all = [sandbox, production]

    /// What its transaction identifiers begin with, as Apple's do.
    var transactionPrefix: String { self == .production ? "4" : "2" }
}
