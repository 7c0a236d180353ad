// SPDX-License-Identifier: Apache-2.0

/// A version of an app, as its team has registered it. The store has no binary
/// of it: receipts name it by its number.
package struct AppVersion: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// The team may still remove it.
        case prepared = "prepare-for-submission"
        /// The app's page sells this version. An app has at most one.
        case ready = "ready-for-sale"
        /// Another version was released after it.
        case replaced
    }

    /// The version that devices report, such as `1.2.3`
    /// (`CFBundleShortVersionString`).
    package var version: String
    /// 1 for the app's first version, in the order in which they were added.
    package var number: Int64
    /// The number that the store has drawn, `version_external_identifier` of
    /// receipts.
    package var externalIdentifier: Int64
    package var state: State
    package var added: WallTime
    package var released: WallTime?

    /// The largest number of versions of an app.
    package static let most = 500
    /// The largest number of characters of a version.
    package static let longest = 18

    /// The version of a form: one to three whole numbers with dots between
    /// them.
    static func checked(_ typed: String, _ checks: inout FieldChecks) -> String {
        let version = typed.trimmingWhitespace()
        if version.isEmpty {
            checks.add("version", .missing)
        } else if version.count > longest {
            checks.add("version", .tooLong, limit: longest)
        } else if version.wholeMatch(of: /[0-9]+(\.[0-9]+){0,2}/) == nil {
            checks.add("version", .malformed)
        }
        return version
    }
}
