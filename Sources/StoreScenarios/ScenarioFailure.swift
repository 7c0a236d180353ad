// SPDX-License-Identifier: Apache-2.0

/// The reason why a scenario can't be read, or why a step of it didn't hold.
package struct ScenarioFailure: Error, Equatable, CustomStringConvertible {
    /// One sentence without its full stop, so that a report can end it.
    package var description: String
    /// The line of the file, from 1; `nil` if the reason isn't in the file.
    package var line: Int?

    package init(_ description: String, line: Int? = nil) {
        self.description = description
        self.line = line
    }
}
