// SPDX-License-Identifier: Apache-2.0

/// The values of an object, line by line, with another view of it beside them.
struct ConsoleFacts {
    struct Line {
        var factName: String
        var factValue: String
        /// The address that the value links to.
        var factAddress: String?

        init(_ name: String, _ value: String, address: String? = nil) {
            factName = name
            factValue = value
            factAddress = address
        }
    }

    struct Aside {
        var asideHeading: String
        var asideLines: [Line]
        var asideNotes: [String]
    }

    var lines: [Line]
    var aside: Aside?
}
