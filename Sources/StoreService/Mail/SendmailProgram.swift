// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreDomain

/// Sends messages by the operator's `sendmail` program, or another one with
/// its interface: the recipient is the last argument, the message is on the
/// standard input.
package struct SendmailProgram: MailSender {
    private let program: ChildProgram

    /// A sender that starts the program at an absolute path.
    package init(path: String, deadline: Duration = .seconds(30)) {
        program = ChildProgram(path: path, deadline: deadline)
    }

    /// Sends a message. `-i` lets the message have a line with a dot only, and
    /// no argument after `--` is an option.
    ///
    /// - Throws: An error with a sentence for the log, without the recipient.
    package func send(_ message: MailMessage) async throws {
        try await program.run(["-i", "--", message.recipient.text], input: Data(message.text.utf8))
    }
}
