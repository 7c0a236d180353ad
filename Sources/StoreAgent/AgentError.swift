// SPDX-License-Identifier: Apache-2.0

/// An error of the agent on this device, as opposed to a store's refusal.
///
/// Two errors are equal when their codes are equal; the message may change.
package struct AgentError: Error, Sendable {
    /// The kind of error.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// An environment variable has a value that can't be used.
        package static let configuration = Code(name: "configuration")
        /// The agent's folder can't be read or written.
        package static let home = Code(name: "home")
        /// The transaction isn't decided, so it can't be finished.
        package static let notFinishable = Code(name: "notFinishable")
        /// The sheet can't be shown; the customer can't have seen it.
        package static let sheet = Code(name: "sheet")
        /// The program that shows the sheet failed; the customer may have
        /// seen the sheet.
        package static let sheetProgram = Code(name: "sheetProgram")
        /// The key is too long, or there is no room for the value.
        package static let keyValues = Code(name: "keyValues")
        /// A receipt from the store isn't accepted.
        package static let receipt = Code(name: "receipt")
        /// A newer version has changed the journal.
        package static let journalVersion = Code(name: "journalVersion")
        /// Another daemon serves the home.
        package static let secondDaemon = Code(name: "secondDaemon")

        /// The name of the constant.
        package var description: String { name }
    }

    /// The kind of error.
    package var code: Code
    /// A message that names the file or variable and the remedy.
    package var message: String
    /// The number of the operating system's error (`errno`), if there was one.
    package var systemError: Int32?

    /// Makes an error.
    package init(_ code: Code, _ message: String, systemError: Int32? = nil) {
        self.code = code
        self.message = message
        self.systemError = systemError
    }
}

extension AgentError: Hashable {
    /// Whether both errors have the same code.
    package static func == (left: AgentError, right: AgentError) -> Bool { left.code == right.code }

    /// Hashes the code, which alone decides equality.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AgentError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}
