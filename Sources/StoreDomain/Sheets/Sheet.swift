// SPDX-License-Identifier: Apache-2.0

/// A one-time page on which a customer decides about a request.
package struct Sheet: Hashable, Sendable {
    /// The state of a sheet.
    package struct Status: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not answered yet.
        package static let open = Status(rawValue: "open")
        /// Confirmed; the payment isn't complete yet.
        package static let processing = Status(rawValue: "processing")
        /// Confirmed; the purchase is made or waits for a decision, or the
        /// account is signed in.
        package static let confirmed = Status(rawValue: "confirmed")
        /// Ended by the customer, the app or the store, without a purchase.
        package static let cancelled = Status(rawValue: "cancelled")
        /// Ended without a purchase, because its payment was declined, or
        /// wasn't confirmed in time, after the time of the sheet.
        package static let declined = Status(rawValue: "declined")
        /// Not answered in time.
        package static let expired = Status(rawValue: "expired")
    }

    /// 32 random bytes in hexadecimal, the last part of the sheet's address.
    package var token: String
    package var device: DeviceIdentifier
    package var requestIdentifier: RequestIdentifier
    package var status: Status
    /// When an unanswered sheet ends.
    package var expires: WallTime
    /// The number of wrong passwords that were typed on the sheet, including
    /// tries that are being checked.
    package var wrongPasswords: Int64 = 0
    /// The current end of the sheet. It is earlier than `expires` while the
    /// customer has closed the page.
    package var closing: WallTime
    /// Why the sheet's payment wasn't made; `nil` before a payment has failed
    /// that was pending.
    package var message: String?

    /// Makes an open sheet that ends ``lifetime`` after `now`.
    package init(token: String, device: DeviceIdentifier, requestIdentifier: RequestIdentifier, now: WallTime) {
        self.token = token
        self.device = device
        self.requestIdentifier = requestIdentifier
        status = .open
        expires = now + Self.lifetime
        closing = expires
    }

    init(
        token: String, device: DeviceIdentifier, requestIdentifier: RequestIdentifier, status: Status,
        expires: WallTime,
        closing: WallTime, wrongPasswords: Int64, message: String?
    ) {
        self.token = token
        self.device = device
        self.requestIdentifier = requestIdentifier
        self.status = status
        self.expires = expires
        self.closing = closing
        self.wrongPasswords = wrongPasswords
        self.message = message
    }

    /// The time in which the customer can answer.
    package static let lifetime: Duration = .seconds(10 * 60)
    /// The time in which a closed page can be opened again: reloading a page
    /// closes and opens it.
    package static let closingPause: Duration = .seconds(5)

    /// Why the sheet can't be answered any more; `nil` when it can.
    func refusal(now: WallTime) -> DomainError? {
        switch status {
        case .open:
            now < closing ? nil : DomainError(.sheetExpired, "This page was not answered in time. Nothing was charged.")
        case .expired:
            DomainError(.sheetExpired, "This page was not answered in time. Nothing was charged.")
        case .declined:
            DomainError(.declined, message ?? "The payment was declined. Nothing was charged.")
        case .cancelled:
            DomainError(.sheetUsed, "This was cancelled already. Nothing was charged.")
        case .processing:
            DomainError(.sheetUsed, "This was confirmed already; the payment is under way. Don't buy it again.")
        default:
            DomainError(.sheetUsed, "This was confirmed already.")
        }
    }
}
