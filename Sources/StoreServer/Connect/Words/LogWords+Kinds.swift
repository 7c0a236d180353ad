// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension LogWords {
    /// The words of a kind; its code for one of a newer version.
    func name(_ kind: TeamChange.Kind) -> String {
        switch kind {
        case .teamSetUp: teamSetUp
        case .userInvited: userInvited
        case .invitationRevoked: invitationRevoked
        case .userJoined: userJoined
        case .userRole: userRole
        case .userRemoved: userRemoved
        case .userName: userName
        case .passwordChanged: passwordChanged
        case .recoveryMade: recoveryMade
        case .recovered: recovered
        case .codesOn: codesOn
        case .codesOff: codesOff
        case .recoveryCodes: recoveryCodes
        case .keyMade: keyMade
        case .keyRevoked: keyRevoked
        case .appRegistered: appRegistered
        case .appName: appName
        case .appState: appState
        case .productRegistered: productRegistered
        case .productChanged: productChanged
        case .productSubmitted: productSubmitted
        case .productReviewed: productReviewed
        default: laterName(kind)
        }
    }

    private func laterName(_ kind: TeamChange.Kind) -> String {
        switch kind {
        case .appVersion: appVersion
        case .storePageChanged: storePageChanged
        case .notificationAddress: notificationAddress
        case .sharedSecret: sharedSecret
        case .imageChanged: imageChanged
        case .promotionChanged: promotionChanged
        case .contractAccepted: contractAccepted
        case .bankChanged: bankChanged
        case .taxChanged: taxChanged
        case .fileImported: fileImported
        case .tableImported: tableImported
        case .offerAdded: offerAdded
        case .offerRemoved: offerRemoved
        case .codesMade: codesMade
        case .codesRevoked: codesRevoked
        case .priceScheduled: priceScheduled
        case .priceCancelled: priceCancelled
        case .purchaseRefunded: purchaseRefunded
        case .notificationResent: notificationResent
        case .contentPublished: contentPublished
        case .contentRemoved: contentRemoved
        case .itemAdded: itemAdded
        case .itemChanged: itemChanged
        case .testerAdded: testerAdded
        case .testerChanged: testerChanged
        case .testerCleared: testerCleared
        case .testerClock: testerClock
        case .testerFamily: testerFamily
        case .testerRequest: testerRequest
        case .testerRemoved: testerRemoved
        default: kind.rawValue
        }
    }
}
