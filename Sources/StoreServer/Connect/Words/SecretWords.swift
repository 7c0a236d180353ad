// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of shared secrets.
struct SecretWords: PageWords {
    var title: String
    var app: String
    var appNote: String
    var master: String
    var masterNote: String
    var none: String
    var warning: String
    var password: String
    var make: String
    var again: String
    var made: String

    static let english = SecretWords(
        title: "Shared secrets",
        app: "This app’s secret",
        appNote: "Your server sends it to /verifyReceipt as password, for this app alone.",
        master: "The team’s master secret",
        masterNote: "It is valid for all apps of the team.",
        none: "There is none yet. While an app has neither, /verifyReceipt accepts each password.",
        warning: "Another secret replaces this one: requests with this one get the status 21004 then.",
        password: "password",
        make: "Make a secret",
        again: "Make another secret",
        made: "The secret is made. Give it to your server.")

    static let german = SecretWords(
        title: "Shared Secrets",
        app: "Das Secret dieser App",
        appNote: "Ihr Server sendet es als password an /verifyReceipt, nur für diese App.",
        master: "Das Master-Secret des Teams",
        masterNote: "Es gilt für alle Apps des Teams.",
        none: "Es gibt noch keins. Solange eine App keines von beiden hat, nimmt /verifyReceipt jedes Passwort an.",
        warning: "Ein anderes Secret ersetzt dieses: Anfragen mit diesem erhalten dann den Status 21004.",
        password: "password",
        make: "Secret erzeugen",
        again: "Anderes Secret erzeugen",
        made: "Das Secret ist erzeugt. Geben Sie es Ihrem Server.")

    static let french = SecretWords(
        title: "Secrets partagés",
        app: "Le secret de cette app",
        appNote: "Votre serveur l’envoie comme password à /verifyReceipt, pour cette app seulement.",
        master: "Le secret principal de l’équipe",
        masterNote: "Il est valable pour toutes les apps de l’équipe.",
        none: "Il n’y en a pas encore. Sans aucun des deux, /verifyReceipt accepte tout mot de passe.",
        warning: "Un autre secret remplace celui-ci : ses requêtes reçoivent alors le statut 21004.",
        password: "password",
        make: "Créer un secret",
        again: "Créer un autre secret",
        made: "Le secret est créé. Donnez-le à votre serveur.")
}
