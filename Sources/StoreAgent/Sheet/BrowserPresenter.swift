// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Opens the sheet in the customer's browser.
package struct BrowserPresenter: SheetPresenter {
    private let command: String?

    /// Makes a presenter with a command line as in `$BROWSER`. Each `%s` in
    /// it is replaced by the address; without `%s` the address is the last
    /// argument. `nil` uses `xdg-open`, and prints the address when that
    /// fails.
    package init(command: String?) {
        self.command = command
    }

    /// Opens the address.
    ///
    /// - Throws: ``AgentError`` with the code `sheet` when `$BROWSER` can't be
    ///   run, and `sheetProgram` when it fails.
    package func present(_ sheet: URL) async throws {
        guard let command else {
            do {
                try await SheetProgram(words: ["xdg-open", sheet.absoluteString]).run()
            } catch let error as AgentError where [.sheet, .sheetProgram].contains(error.code) {
                try await TerminalPresenter().present(sheet)
            }
            return
        }
        do {
            try await SheetProgram(words: Self.words(of: command, address: sheet.absoluteString)).run()
        } catch let error as AgentError {
            throw AgentError(
                error.code, "BROWSER (\(command)) can't show the payment sheet: \(error.message) Set another BROWSER.")
        }
    }

    static func words(of command: String, address: String) -> [String] {
        let words = command.split(separator: " ").map(String.init)
        let filled = words.map { $0.replacingOccurrences(of: "%s", with: address) }
        return filled == words ? words + [address] : filled
    }
}
