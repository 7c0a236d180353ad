// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Runs a program that shows or answers the sheet.
package struct ScriptPresenter: SheetPresenter {
    private let path: String

    /// Makes a presenter with a program's path.
    package init(path: String) {
        self.path = path
    }

    package var waitsForCustomer: Bool { true }

    /// Runs the program with the address as its only argument, and returns
    /// when it has ended.
    ///
    /// - Throws: ``AgentError`` with the code `sheet` when the program can't
    ///   be run, and `sheetProgram` when its exit status isn't 0; the message
    ///   contains its standard error.
    package func present(_ sheet: URL) async throws {
        let absolute = URL(fileURLWithPath: path).path
        do {
            try await SheetProgram(words: [absolute, sheet.absoluteString], keepsComplaint: true).run()
        } catch let error as AgentError {
            throw AgentError(error.code, "The script of STOREKIT_SHEET, \(path), failed: \(error.message)")
        }
    }
}
