// SPDX-License-Identifier: Apache-2.0

/// Why the agent can't do what it was asked, before any store is involved.
///
/// Two errors are equal when their codes are: the sentence may change.
package struct AgentError: Error, Sendable {
    /// What went wrong.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// A variable of the environment has a value that can't be used.
        package static let configuration = Code(name: "configuration")
        /// The folder of the agent can't be read or written.
        package static let home = Code(name: "home")
        /// Only a transaction that is decided can be finished.
        package static let notFinishable = Code(name: "notFinishable")
        /// The sheet can't be shown to anybody.
        package static let sheet = Code(name: "sheet")
        /// A program that was to show the sheet has failed; the customer may
        /// have seen it all the same.
        package static let sheetProgram = Code(name: "sheetProgram")
        /// A key is too long, or there is no room for a value.
        package static let keyValues = Code(name: "keyValues")
        /// A receipt of the store isn't accepted.
        package static let receipt = Code(name: "receipt")

        /// The name of the constant.
        package var description: String { name }
    }

    /// What went wrong.
    package var code: Code
    /// A sentence that names the place and the remedy.
    package var message: String

    /// Makes an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension AgentError: Hashable {
    /// Whether both errors have the same code.
    package static func == (left: AgentError, right: AgentError) -> Bool { left.code == right.code }

    /// Hashes the code, as equality demands.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AgentError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}
