// SPDX-License-Identifier: Apache-2.0

/// The sentence of a page after a change, by the parameter `done` of its
/// address; `nil` for any other text.
enum ConnectNotice {
    static func sentence(_ done: String, in language: PageLanguage) -> String? {
        let (team, own) = (TeamWords.words(language), OwnWords.words(language))
        return switch done {
        case "saved": ConsoleWords.words(language).saved
        case "app": AppWords.words(language).registered
        case "secret": SecretWords.words(language).made
        case "test": AddressWords.words(language).sent
        case "product": ProductWords.words(language).registered
        case "submitted": ProductWords.words(language).submitted
        case "imported": FileWords.words(language).imported
        case "discarded": FileWords.words(language).discarded
        case "content": ContentWords.words(language).published
        case "content-removed": ContentWords.words(language).removed
        case "reviewed": ReviewWords.words(language).decided
        case "refunded": RecordWords.words(language).refundDone
        case "resent": RecordWords.words(language).resent
        case "tester": TesterWords.words(language).added
        case "clock": TesterWords.words(language).moved
        case "cleared": TesterWords.words(language).cleared
        case "family": TesterWords.words(language).familyChanged
        case "decided": TesterWords.words(language).decided
        case "tester-removed": TesterWords.words(language).removed
        case "revoked": team.revoked
        case "role": team.roleChanged
        case "removed": team.removed
        case "key-revoked": KeyWords.words(language).revoked
        case "password": own.passwordChanged
        case "codes-ended": own.ended
        case "session": own.sessionEnded
        case "others": own.othersEnded
        case "recovered": JoinWords.words(language).recovered
        case "signed-out": JoinWords.words(language).signedOut
        default: nil
        }
    }
}
