// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of the settings.
struct SettingsWords: PageWords {
    var legend: String
    var always: String
    var afterAWhile: String
    var notForFree: String
    var save: String
    var saved: String

    /// The text of a rule.
    func rule(_ rule: PasswordRule) -> String {
        switch rule {
        case .always: always
        case .notForFree: notForFree
        default: afterAWhile
        }
    }

    static let english = SettingsWords(
        legend: "The payment sheet asks for the password",
        always: "always",
        afterAWhile: "15 minutes after it was typed",
        notForFree: "15 minutes after it was typed, and never for free items",
        save: "Save",
        saved: "The setting is saved.")

    static let german = SettingsWords(
        legend: "Beim Kauf wird das Passwort verlangt",
        always: "immer",
        afterAWhile: "15 Minuten nach der letzten Eingabe",
        notForFree: "15 Minuten nach der letzten Eingabe, und nie für kostenlose Artikel",
        save: "Sichern",
        saved: "Die Einstellung ist gesichert.")

    static let french = SettingsWords(
        legend: "Le mot de passe est demandé lors d’un achat",
        always: "toujours",
        afterAWhile: "15 minutes après sa dernière saisie",
        notForFree: "15 minutes après sa dernière saisie, et jamais pour les articles gratuits",
        save: "Enregistrer",
        saved: "Le réglage est enregistré.")
}
