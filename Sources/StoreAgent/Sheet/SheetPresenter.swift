// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Shows the store's payment sheet to the customer.
package protocol SheetPresenter: Sendable {
    /// Shows the sheet at a one-time address. It may return at once or when
    /// the customer is done; the outcome comes from the store, not from here.
    ///
    /// Only ``SheetAddress/present(with:)`` calls it, with an address that was
    /// checked.
    ///
    /// - Throws: ``AgentError`` with the code `sheet` when the customer can't
    ///   have seen it, and `sheetProgram` when nobody knows.
    func present(_ sheet: URL) async throws
}

extension SheetPresentation {
    /// The presenter that does it.
    package var presenter: any SheetPresenter {
        switch self {
        case .browser(let command): BrowserPresenter(command: command)
        case .terminal: TerminalPresenter()
        case .script(let path): ScriptPresenter(path: path)
        }
    }
}
