// SPDX-License-Identifier: Apache-2.0

import Foundation

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
        Subject: \(Self.encoded(subject))
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: 8bit
        Auto-Submitted: auto-generated

        \(body)

        """
    }

    /// A header's value with other characters than ASCII's, in encoded words
    /// (RFC 2047, section 2), each of at most 75 characters.
    static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (32..<127).contains($0) }) else { return text }
        var parts = [""]
        for character in text {
            let longer = parts[parts.count - 1] + String(character)
            if longer.utf8.count <= 45 { parts[parts.count - 1] = longer } else { parts.append(String(character)) }
        }
        return parts.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\n ")
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
