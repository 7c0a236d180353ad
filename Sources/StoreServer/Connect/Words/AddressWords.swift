// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of notification addresses.
struct AddressWords: PageWords {
    var title: String
    var note: String
    var none: String
    var add: String
    var change: String
    var remove: String
    var url: String
    var urlHint: String
    var environment: String
    var sandbox: String
    var production: String
    var version: String
    var versionHint: String
    var versionTwo: String
    var versionOne: String
    /// `{environment}`.
    var test: String
    var testNote: String
    var testNeedsAddress: String
    var send: String
    var sent: String
    /// `{date}`.
    var testSent: String
    var waiting: String
    var reload: String
    /// `{status}` and `{result}`.
    var answered: String
    var success: String
    var timedOut: String
    var tlsIssue: String
    var noResponse: String
    var socketIssue: String
    var other: String

    static let english = AddressWords(
        title: "Notification addresses",
        note: "The store sends App Store Server Notifications of later changes to these addresses.",
        none: "There is no address.",
        add: "Add an address",
        change: "Change an address",
        remove: "Remove",
        url: "Address",
        urlHint: """
            https, at most 1024 characters, without a user name, a password or a fragment. In the sandbox of the operator’s \
            own team, http to the store’s computer works too.
            """,
        environment: "Environment",
        sandbox: "Sandbox",
        production: "Production",
        version: "Version",
        versionHint: "Apple has deprecated version 1, whose body has the app’s shared secret.",
        versionTwo: "Version 2",
        versionOne: "Version 1",
        test: "Test ({environment})",
        testNote: "The store sends a notification of the type TEST to the addresses of version 2.",
        testNeedsAddress: "A test needs an address of version 2. The other environment’s test is in its own Connect.",
        send: "Send test",
        sent: "The test is on its way. Reload the page to see the answer.",
        testSent: "Test of {date}",
        waiting: "not sent yet",
        reload: "Show the answer",
        answered: "{result}, HTTP status {status}",
        success: "received (SUCCESS)",
        timedOut: "no answer in time (TIMED_OUT)",
        tlsIssue: "no trusted TLS connection (TLS_ISSUE)",
        noResponse: "no answer (NO_RESPONSE)",
        socketIssue: "no connection (SOCKET_ISSUE)",
        other: "not sent: the address isn’t allowed, or the name isn’t known (OTHER)")

    static let german = AddressWords(
        title: "Adressen für Mitteilungen",
        note: "Der Store sendet App Store Server Notifications späterer Änderungen an diese Adressen.",
        none: "Es gibt keine Adresse.",
        add: "Adresse hinzufügen",
        change: "Adresse ändern",
        remove: "Entfernen",
        url: "Adresse",
        urlHint: """
            https, höchstens 1024 Zeichen, ohne Benutzernamen, Passwort und Fragment. In der Sandbox des Teams des \
            Betreibers geht auch http zum Rechner des Stores.
            """,
        environment: "Umgebung",
        sandbox: "Sandbox",
        production: "Produktion",
        version: "Version",
        versionHint: "Apple rät von Version 1 ab, deren Inhalt das Shared Secret der App enthält.",
        versionTwo: "Version 2",
        versionOne: "Version 1",
        test: "Test ({environment})",
        testNote: "Der Store sendet eine Mitteilung der Art TEST an die Adressen der Version 2.",
        testNeedsAddress: """
            Ein Test braucht eine Adresse der Version 2. Der Test der anderen Umgebung ist in deren eigenem Connect.
            """,
        send: "Test senden",
        sent: "Der Test ist unterwegs. Laden Sie die Seite neu, um die Antwort zu sehen.",
        testSent: "Test vom {date}",
        waiting: "noch nicht gesendet",
        reload: "Antwort zeigen",
        answered: "{result}, HTTP-Status {status}",
        success: "empfangen (SUCCESS)",
        timedOut: "keine Antwort in der Zeit (TIMED_OUT)",
        tlsIssue: "keine vertrauenswürdige TLS-Verbindung (TLS_ISSUE)",
        noResponse: "keine Antwort (NO_RESPONSE)",
        socketIssue: "keine Verbindung (SOCKET_ISSUE)",
        other: "nicht gesendet: Die Adresse ist nicht erlaubt, oder der Name ist unbekannt (OTHER)")

    static let french = AddressWords(
        title: "Adresses de notification",
        note: "La boutique envoie à ces adresses les App Store Server Notifications des changements à venir.",
        none: "Il n’y a pas d’adresse.",
        add: "Ajouter une adresse",
        change: "Modifier une adresse",
        remove: "Supprimer",
        url: "Adresse",
        urlHint: """
            https, 1024 caractères au plus, sans nom d’utilisateur, mot de passe ni fragment. Dans le sandbox de \
            l’équipe de l’exploitant, http vers la machine de la boutique fonctionne aussi.
            """,
        environment: "Environnement",
        sandbox: "Sandbox",
        production: "Production",
        version: "Version",
        versionHint: "Apple déconseille la version 1, dont le corps contient le secret partagé de l’app.",
        versionTwo: "Version 2",
        versionOne: "Version 1",
        test: "Test ({environment})",
        testNote: "La boutique envoie une notification de type TEST aux adresses de la version 2.",
        testNeedsAddress: """
            Un test exige une adresse de la version 2. Le test de l’autre environnement se fait dans son propre Connect.
            """,
        send: "Envoyer un test",
        sent: "Le test est en route. Rechargez la page pour voir la réponse.",
        testSent: "Test du {date}",
        waiting: "pas encore envoyé",
        reload: "Afficher la réponse",
        answered: "{result}, statut HTTP {status}",
        success: "reçu (SUCCESS)",
        timedOut: "pas de réponse à temps (TIMED_OUT)",
        tlsIssue: "pas de connexion TLS fiable (TLS_ISSUE)",
        noResponse: "pas de réponse (NO_RESPONSE)",
        socketIssue: "pas de connexion (SOCKET_ISSUE)",
        other: "pas envoyé : l’adresse n’est pas autorisée ou le nom est inconnu (OTHER)")

    func name(_ environment: StoreEnvironment) -> String { environment == .production ? production : sandbox }

    func name(_ version: NotificationVersion) -> String { version == .two ? versionTwo : versionOne }

    /// An attempt's result, with the status of an answer that is no success.
    func result(_ attempt: NotificationDelivery.Attempt) -> String {
        let name =
            switch attempt.result {
            case .success: success
            case .timedOut: timedOut
            case .tlsIssue: tlsIssue
            case .noResponse: noResponse
            case .socketIssue: socketIssue
            case .other: other
            default: attempt.result.rawValue
            }
        guard let status = attempt.status else { return name }
        return fill(\.answered, ["result": name, "status": String(status)])
    }
}
