// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension SigningAuthority {
    /// What the certificates of an authority say.
    public struct Profile: Sendable, Hashable {
        /// The organisation in the certificates' names.
        public var organization: String
        /// The first moment at which the certificates are valid.
        public var notValidBefore: Date
        /// The last moment at which the certificates are valid.
        public var notValidAfter: Date
        /// Where the store is reached, without a slash at the end, such as
        /// `http://127.0.0.1:8080`: the certificates say that they can be
        /// asked about there. Without one they don't say.
        public var publicAddress: String?

        /// A profile of that organisation and validity.
        public init(
            organization: String = "OpenStoreKit", notValidBefore: Date, notValidAfter: Date,
            publicAddress: String? = nil
        ) {
            self.organization = organization
            self.notValidBefore = notValidBefore
            self.notValidAfter = notValidAfter
            self.publicAddress = publicAddress
        }

        /// Valid from 2000-01-01T00:00:00Z to 2099-12-31T23:59:59Z, because a
        /// receipt is dated by its tester's clock, and that can be moved.
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
