// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension SigningAuthority {
    /// The names, the validity and the address in an authority's
    /// certificates.
    public struct Profile: Sendable, Hashable {
        /// The organisation in the certificates' names.
        public var organization: String
        /// The first moment at which the certificates are valid.
        public var notValidBefore: Date
        /// The last moment at which the certificates are valid.
        public var notValidAfter: Date
        /// The store's address without a slash at the end, such as
        /// `http://127.0.0.1:8080`. The certificates contain the addresses of
        /// OCSP, issuers' certificates and revocation lists there. Without it
        /// they contain none.
        public var publicAddress: String?

        /// A profile with that organisation and validity.
        public init(
            organization: String = "OpenStoreKit", notValidBefore: Date, notValidAfter: Date,
            publicAddress: String? = nil
        ) {
            self.organization = organization
            self.notValidBefore = notValidBefore
            self.notValidAfter = notValidAfter
            self.publicAddress = publicAddress
        }

        /// A profile that is valid from 2000-01-01T00:00:00Z to
        /// 2099-12-31T23:59:59Z, because a tester can set the clock that
        /// dates a receipt.
        public static let sandbox = Profile(
            notValidBefore: Date(timeIntervalSince1970: 946_684_800),
            notValidAfter: Date(timeIntervalSince1970: 4_102_444_799))

        /// ``sandbox``, with a public address.
        public static func sandbox(publicAddress: String) -> Profile {
            var profile = sandbox
            profile.publicAddress = publicAddress
            return profile
        }
    }
}
