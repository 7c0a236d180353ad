// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain

/// How long a kind of row is kept: `NAME=DAYS`.
struct RetentionArgument {
    var kind: Retention.Kind
    var days: Int

    /// Reads the argument of `--keep`.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> RetentionArgument {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("--keep takes NAME=DAYS, such as events=90, not \"\(text)\".")
        }
        guard let kind = Retention.kinds.first(where: { $0.name == parts[0] }) else {
            throw ValidationError(
                "--keep has no kind \"\(parts[0])\": it is one of \(Retention.kinds.map(\.name).joined(separator: ", "))."
            )
        }
        guard let days = Int(parts[1]), kind.range.contains(days) else {
            throw ValidationError(
                "--keep \(kind.name) takes \(kind.range.lowerBound) to \(kind.range.upperBound) days, not \"\(parts[1])\"."
            )
        }
        return RetentionArgument(kind: kind, days: days)
    }

    /// The default with the arguments' days.
    ///
    /// - Throws: `ValidationError` for a kind that is named twice.
    static func retention(_ arguments: [RetentionArgument]) throws -> Retention {
        var retention = Retention()
        var named: Set<String> = []
        for argument in arguments {
            guard named.insert(argument.kind.name).inserted else {
                throw ValidationError("--keep names \(argument.kind.name) twice.")
            }
            retention[keyPath: argument.kind.days] = argument.days
        }
        return retention
    }
}
