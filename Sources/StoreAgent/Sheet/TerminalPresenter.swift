// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Prints the sheet's address to the standard error stream.
package struct TerminalPresenter: SheetPresenter {
    /// Makes a presenter.
    package init() {}

    /// Prints the address.
    package func present(_ sheet: URL) async throws {
        FileHandle.standardError.write(Data("Open this page to continue: \(sheet.absoluteString)\n".utf8))
    }
}
