// SPDX-License-Identifier: Apache-2.0

/// A message of the store to a customer.
package struct MailMessage: Hashable, Sendable {
    package var recipient: MailAddress
    package var subject: String
    package var body: String

    package init(recipient: MailAddress, subject: String, body: String) {
        self.recipient = recipient
        self.subject = subject
        self.body = body
    }

    /// The message with its headers (RFC 5322), as a `sendmail` program reads
    /// it. The program adds the sender and the date.
    ///
    /// No header has a value from outside but the recipient, whose type allows
    /// no line break. `Auto-Submitted` prevents automatic answers (RFC 3834).
    package var text: String {
        """
        To: \(recipient.text)
        Subject: \(subject)
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: 8bit
        Auto-Submitted: auto-generated

        \(body)

        """
    }
}

/// Sends messages to customers.
package protocol MailSender: Sendable {
    /// Sends a message.
    ///
    /// - Throws: An error when the message wasn't accepted. It is sent again
    ///   later.
    func send(_ message: MailMessage) async throws
}
