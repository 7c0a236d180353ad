// SPDX-License-Identifier: Apache-2.0

/// An entry of the log of a team: a user's change, with the values before and
/// after it.
package struct TeamChange: Hashable, Sendable {
    /// The kind of a change: a stable code. Pages have its words.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let teamSetUp = Kind(rawValue: "team-set-up")
        package static let userInvited = Kind(rawValue: "user-invited")
        package static let invitationRevoked = Kind(rawValue: "invitation-revoked")
        package static let userJoined = Kind(rawValue: "user-joined")
        package static let userRole = Kind(rawValue: "user-role")
        package static let userRemoved = Kind(rawValue: "user-removed")
        package static let userName = Kind(rawValue: "user-name")
        package static let passwordChanged = Kind(rawValue: "password-changed")
        package static let recoveryMade = Kind(rawValue: "recovery-made")
        package static let recovered = Kind(rawValue: "recovered")
        package static let codesOn = Kind(rawValue: "codes-on")
        package static let codesOff = Kind(rawValue: "codes-off")
        package static let recoveryCodes = Kind(rawValue: "recovery-codes")
        package static let keyMade = Kind(rawValue: "key-made")
        package static let keyRevoked = Kind(rawValue: "key-revoked")
        package static let appRegistered = Kind(rawValue: "app-registered")
        package static let appName = Kind(rawValue: "app-name")
        package static let appState = Kind(rawValue: "app-state")
        package static let appVersion = Kind(rawValue: "app-version")
        package static let storePageChanged = Kind(rawValue: "store-page-changed")
        package static let sharedSecret = Kind(rawValue: "shared-secret")
        package static let notificationAddress = Kind(rawValue: "notification-address")
        package static let productRegistered = Kind(rawValue: "product-registered")
        package static let productChanged = Kind(rawValue: "product-changed")
        package static let productSubmitted = Kind(rawValue: "product-submitted")
        package static let productReviewed = Kind(rawValue: "product-reviewed")
        package static let imageChanged = Kind(rawValue: "image-changed")
        package static let promotionChanged = Kind(rawValue: "promotion-changed")
        package static let contractAccepted = Kind(rawValue: "contract-accepted")
        package static let bankChanged = Kind(rawValue: "bank-changed")
        package static let taxChanged = Kind(rawValue: "tax-changed")
        package static let fileImported = Kind(rawValue: "file-imported")
        package static let tableImported = Kind(rawValue: "table-imported")
        package static let offerAdded = Kind(rawValue: "offer-added")
        package static let offerRemoved = Kind(rawValue: "offer-removed")
        package static let codesMade = Kind(rawValue: "codes-made")
        package static let codesRevoked = Kind(rawValue: "codes-revoked")
        package static let priceScheduled = Kind(rawValue: "price-scheduled")
        package static let priceCancelled = Kind(rawValue: "price-cancelled")
        package static let purchaseRefunded = Kind(rawValue: "purchase-refunded")
        package static let notificationResent = Kind(rawValue: "notification-resent")
        package static let contactsDownloaded = Kind(rawValue: "contacts-downloaded")
        package static let itemAdded = Kind(rawValue: "item-added")
        package static let itemChanged = Kind(rawValue: "item-changed")
        package static let contentPublished = Kind(rawValue: "content-published")
        package static let contentRemoved = Kind(rawValue: "content-removed")
        package static let testerAdded = Kind(rawValue: "tester-added")
        package static let testerChanged = Kind(rawValue: "tester-changed")
        package static let testerCleared = Kind(rawValue: "tester-cleared")
        package static let testerClock = Kind(rawValue: "tester-clock")
        package static let testerFamily = Kind(rawValue: "tester-family")
        package static let testerRequest = Kind(rawValue: "tester-request")
        package static let testerRemoved = Kind(rawValue: "tester-removed")

        /// All kinds.
        package static let all = [
            teamSetUp, userInvited, invitationRevoked, userJoined, userRole, userRemoved, userName, passwordChanged,
            imageChanged, promotionChanged, contractAccepted, bankChanged, taxChanged,
            fileImported, tableImported, offerAdded, offerRemoved,
            codesMade, codesRevoked, priceScheduled, priceCancelled,
            purchaseRefunded, notificationResent, contactsDownloaded, contentPublished, contentRemoved, itemAdded,
            itemChanged, testerAdded,
            testerChanged, testerCleared, testerClock, testerFamily, testerRequest,
            testerRemoved,
            notificationAddress, sharedSecret,
            recoveryMade, recovered, codesOn, codesOff, recoveryCodes, keyMade, keyRevoked, appRegistered, appName,
            appState, appVersion, storePageChanged, productRegistered, productChanged, productSubmitted,
            productReviewed,
        ]
    }

    /// 1 for the team's first change.
    package var number: Int64
    package var at: WallTime
    /// The e-mail address of the user who has made the change; empty for the
    /// operator.
    package var user: String
    package var kind: Kind
    /// The changed object, such as a user's e-mail address.
    package var subject: String
    package var before: String
    package var after: String

    /// The largest number of characters of each text; the rest is left out.
    static let longest = 4000

    /// The texts that a search looks at.
    var texts: [String] { [user, kind.rawValue, subject, before, after] }
}
