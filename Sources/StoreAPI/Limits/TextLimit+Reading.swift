// SPDX-License-Identifier: Apache-2.0

extension TextLimit {
    /// Reads a text of a query or a form.
    ///
    /// - Throws: ``LimitExceeded`` when the text is too short or too long.
    package static func read(_ text: some StringProtocol, field: String) throws -> String {
        let text = String(text)
        if let refusal = refusal(of: text) { throw LimitExceeded(field: field, refusal: refusal) }
        return text
    }
}
