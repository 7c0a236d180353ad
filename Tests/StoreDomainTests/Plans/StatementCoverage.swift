// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport

/// A comparison of the statements that were run with those of the source
/// code.
struct StatementCoverage {
    /// The literals whose statements didn't run.
    var missing: [SQLLiteral]
    /// The statements that no literal can have made.
    var unknown: [String]

    /// A statement that several literals may have made counts for the one with
    /// the most text of its own.
    init(of statements: some Collection<String>, by literals: [SQLLiteral]) {
        var covered: Set<String> = []
        unknown = []
        for statement in statements {
            let matching = literals.filter { $0.matches(statement) }
            let length = matching.map(\.length).max()
            if length == nil { unknown.append(statement) }
            covered.formUnion(matching.filter { $0.length == length }.map(\.place))
        }
        missing = literals.filter { !covered.contains($0.place) }
    }
}
