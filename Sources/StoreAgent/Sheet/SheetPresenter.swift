// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Shows the store's payment sheet to the customer.
package protocol SheetPresenter: Sendable {
    /// Shows the sheet at a one-time address.
    ///
    /// It may return immediately or when the customer is done. The outcome
    /// comes from the store.
    ///
    /// The agent calls it only through ``SheetAddress/present(with:)``, with
    /// a checked address, which it may pass on to another presenter.
    ///
    /// - Throws: ``AgentError`` with the code `sheet` when the customer can't
    ///   have seen the sheet, and `sheetProgram` when that is unknown.
    func present(_ sheet: URL) async throws

    /// Whether ``present(_:)`` returns when the customer is done, and not
    /// earlier.
    var waitsForCustomer: Bool { get }
}

extension SheetPresenter {
    /// A browser returns when the page is open.
    package var waitsForCustomer: Bool { false }
}

extension SheetPresentation {
    /// The presenter for this setting.
    package var presenter: any SheetPresenter {
        switch self {
        case .browser(let command): BrowserPresenter(command: command)
        case .terminal: TerminalPresenter()
        case .script(let path): ScriptPresenter(path: path)
        }
    }
}
