// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A certificate that isn't to be trusted any more, whatever it signed when.
///
/// Somebody who stole a key dates what he signs as he likes: so nothing that a
/// revoked leaf signed is accepted, from before its revocation neither. Apps
/// get a new receipt by refreshing theirs.
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
        /// Somebody else has the key.
        public static let keyCompromise = Reason(rawValue: 1)
        /// Another certificate took its place.
        public static let superseded = Reason(rawValue: 4)
    }
}
