// SPDX-License-Identifier: Apache-2.0

/// The former subscribers who may get a win-back offer, by months ("Set up
/// win-back offers" of App Store Connect's help).
package struct WinBackConditions: Hashable, Sendable, Codable {
    /// The least months for which the customer has paid, in one or several
    /// parts: 1 to 60.
    package var paidMonths: Int
    /// The least and the most months since the subscription has ended: 0 to
    /// 24, where 0 is from the end on.
    package var leastLapsedMonths: Int
    package var mostLapsedMonths: Int
    /// The months after which a customer may get a win-back offer of the group
    /// again: 2 to 24; `nil` when there is no such wait.
    package var waitMonths: Int?

    package init(paidMonths: Int = 1, lapsedMonths: ClosedRange<Int> = 0...24, waitMonths: Int? = nil) {
        self.paidMonths = paidMonths
        leastLapsedMonths = lapsedMonths.lowerBound
        mostLapsedMonths = lapsedMonths.upperBound
        self.waitMonths = waitMonths
    }

    /// Checks the numbers.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    func check() throws(DomainError) {
        guard (1...60).contains(paidMonths) else {
            throw DomainError(.invalid, "The paid months of a win-back offer are 1 to 60, not \(paidMonths).")
        }
        guard (0...24).contains(leastLapsedMonths), (leastLapsedMonths...24).contains(mostLapsedMonths) else {
            throw DomainError(
                .invalid,
                """
                The months since the end of the subscription are a range within 0 to 24, not \(leastLapsedMonths) to \
                \(mostLapsedMonths).
                """)
        }
        guard waitMonths.map((2...24).contains) ?? true else {
            throw DomainError(.invalid, "The months between two win-back offers are 2 to 24, not \(waitMonths ?? 0).")
        }
    }
}
