// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The titles of a failure's page.
struct FailureWords: PageWords {
    var throttled: String
    var notFound: String
    var answered: String
    var expired: String
    var unavailable: String
    var declined: String
    var other: String

    func title(_ code: StoreFailure.Code) -> String {
        switch code {
        case .throttled: throttled
        case .notFound: notFound
        case .sheetUsed, .decided: answered
        case .sheetExpired: expired
        case .unavailable: unavailable
        case .declined: declined
        default: other
        }
    }

    static let english = FailureWords(
        throttled: "Wait a moment",
        notFound: "No such page",
        answered: "Already answered",
        expired: "Too late",
        unavailable: "Not now",
        declined: "Declined",
        other: "That didn't work")

    static let german = FailureWords(
        throttled: "Bitte warten",
        notFound: "Seite nicht gefunden",
        answered: "Schon beantwortet",
        expired: "Zu spät",
        unavailable: "Gerade nicht möglich",
        declined: "Abgelehnt",
        other: "Das hat nicht funktioniert")

    static let french = FailureWords(
        throttled: "Patientez un instant",
        notFound: "Page introuvable",
        answered: "Déjà répondu",
        expired: "Trop tard",
        unavailable: "Impossible pour le moment",
        declined: "Refusé",
        other: "Cela n’a pas fonctionné")
}
