// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A certificate that must not be trusted any more.
///
/// A stolen key can sign with any date. Verifiers therefore refuse everything
/// that a revoked leaf has signed, also with a date before the revocation.
/// Apps get a new receipt by refreshing theirs.
public struct Revocation: Codable, Hashable, Sendable {
    /// The certificate's serial number.
    public var serialNumber: SerialNumber
    /// When it was revoked.
    public var date: Date
    /// Why it was revoked.
    public var reason: Reason

    /// A revocation.
    public init(serialNumber: SerialNumber, date: Date, reason: Reason) {
        self.serialNumber = serialNumber
        self.date = date
        self.reason = reason
    }

    /// Why a certificate is revoked: `CRLReason` of RFC 5280, section 5.3.1.
    public struct Reason: RawRepresentable, Codable, Hashable, Sendable {
        /// The reason's number.
        public var rawValue: Int

        /// The reason of that number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// No reason is given.
        public static let unspecified = Reason(rawValue: 0)
        /// Another party has, or may have, the private key.
        public static let keyCompromise = Reason(rawValue: 1)
        /// Another certificate replaces this one.
        public static let superseded = Reason(rawValue: 4)
    }
}
