// SPDX-License-Identifier: Apache-2.0

extension NumberLimit where Value == Int64 {
    /// Reads a number of a query or a form.
    ///
    /// - Throws: ``LimitExceeded`` when the text isn't a whole number in the
    ///   range.
    package static func read(_ text: some StringProtocol, field: String) throws -> Int64 {
        guard let value = Int64(text) else {
            throw LimitExceeded(
                field: field, refusal: "is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        if let refusal = refusal(of: value) { throw LimitExceeded(field: field, refusal: refusal) }
        return value
    }
}
