// SPDX-License-Identifier: Apache-2.0

/// The texts of the log of changes.
struct LogWords: PageWords {
    var search: String
    var none: String
    var operatorName: String
    /// `{before}` and `{after}` are the values.
    var change: String
    var before: String
    var after: String
    var older: String
    var teamSetUp: String
    var userInvited: String
    var invitationRevoked: String
    var userJoined: String
    var userRole: String
    var userRemoved: String
    var userName: String
    var passwordChanged: String
    var recoveryMade: String
    var recovered: String
    var codesOn: String
    var codesOff: String
    var recoveryCodes: String
    var keyMade: String
    var keyRevoked: String
    var appRegistered: String
    var appName: String
    var appState: String
    var appVersion: String
    var storePageChanged: String
    var notificationAddress: String
    var sharedSecret: String
    var productRegistered: String
    var productChanged: String
    var productSubmitted: String
    var productReviewed: String
    var imageChanged: String
    var promotionChanged: String
    var contractAccepted: String
    var bankChanged: String
    var taxChanged: String
    var fileImported: String
    var tableImported: String
    var offerAdded: String
    var offerRemoved: String
    var codesMade: String
    var codesRevoked: String
    var priceScheduled: String
    var priceCancelled: String
    var purchaseRefunded: String
    var notificationResent: String
    var contentPublished: String
    var contentRemoved: String
    var itemAdded: String
    var itemChanged: String
    var testerAdded: String
    var testerChanged: String
    var testerCleared: String
    var testerClock: String
    var testerFamily: String
    var testerRequest: String
    var testerRemoved: String

    static let english = LogWords(
        search: "User, object, or value",
        none: "Nothing has been changed yet.",
        operatorName: "the operator",
        change: "from {before} to {after}",
        before: "before: {before}",
        after: "{after}",
        older: "Older changes",
        teamSetUp: "set up the team",
        userInvited: "invited a user",
        invitationRevoked: "revoked an invitation",
        userJoined: "joined the team",
        userRole: "changed a user’s role",
        userRemoved: "removed a user",
        userName: "changed their own name",
        passwordChanged: "changed their own password",
        recoveryMade: "made an address for a new password",
        recovered: "chose a new password by an address",
        codesOn: "turned on the authenticator app",
        codesOff: "turned off the authenticator app",
        recoveryCodes: "drew new recovery codes",
        keyMade: "made a key",
        keyRevoked: "revoked a key",
        appRegistered: "registered an app",
        appName: "changed an app’s name",
        appState: "removed or restored an app",
        appVersion: "changed the versions of an app",
        storePageChanged: "changed the store page of an app",
        notificationAddress: "changed a notification address",
        sharedSecret: "made a shared secret",
        productRegistered: "registered a product",
        productChanged: "changed a product",
        productSubmitted: "submitted a product to the review",
        productReviewed: "reviewed a product",
        imageChanged: "changed an image",
        promotionChanged: "changed the promoted products",
        contractAccepted: "accepted the contract",
        bankChanged: "changed the bank account",
        taxChanged: "changed the tax form",
        fileImported: "imported a .storekit file",
        tableImported: "imported a table of prices and texts",
        offerAdded: "added an offer",
        offerRemoved: "removed an offer",
        codesMade: "made codes",
        codesRevoked: "revoked codes",
        priceScheduled: "scheduled a price",
        priceCancelled: "cancelled a scheduled price",
        purchaseRefunded: "refunded a purchase",
        notificationResent: "sent a notification again",
        contentPublished: "published a version of hosted content",
        contentRemoved: "removed a version of hosted content",
        itemAdded: "registered an item",
        itemChanged: "changed an item",
        testerAdded: "added a sandbox tester",
        testerChanged: "changed a sandbox tester",
        testerCleared: "cleared the purchases of a sandbox tester",
        testerClock: "moved the clock of a sandbox tester",
        testerFamily: "changed the family of a sandbox tester",
        testerRequest: "decided about a sandbox tester’s request to buy",
        testerRemoved: "removed a sandbox tester")

    static let german = LogWords(
        search: "Benutzer, Objekt oder Wert",
        none: "Es wurde noch nichts geändert.",
        operatorName: "der Betreiber",
        change: "von {before} zu {after}",
        before: "vorher: {before}",
        after: "{after}",
        older: "Ältere Änderungen",
        teamSetUp: "hat das Team eingerichtet",
        userInvited: "hat einen Benutzer eingeladen",
        invitationRevoked: "hat eine Einladung zurückgezogen",
        userJoined: "ist dem Team beigetreten",
        userRole: "hat die Rolle eines Benutzers geändert",
        userRemoved: "hat einen Benutzer entfernt",
        userName: "hat den eigenen Namen geändert",
        passwordChanged: "hat das eigene Passwort geändert",
        recoveryMade: "hat eine Adresse für ein neues Passwort erzeugt",
        recovered: "hat mit einer Adresse ein neues Passwort gewählt",
        codesOn: "hat die Authenticator-App eingeschaltet",
        codesOff: "hat die Authenticator-App ausgeschaltet",
        recoveryCodes: "hat neue Wiederherstellungscodes erzeugt",
        keyMade: "hat einen Schlüssel erzeugt",
        keyRevoked: "hat einen Schlüssel widerrufen",
        appRegistered: "hat eine App registriert",
        appName: "hat den Namen einer App geändert",
        appState: "hat eine App entfernt oder wiederhergestellt",
        appVersion: "hat die Versionen einer App geändert",
        storePageChanged: "hat die Storeseite einer App geändert",
        notificationAddress: "hat eine Adresse für Mitteilungen geändert",
        sharedSecret: "hat ein Shared Secret erzeugt",
        productRegistered: "hat ein Produkt registriert",
        productChanged: "hat ein Produkt geändert",
        productSubmitted: "hat ein Produkt zur Prüfung eingereicht",
        productReviewed: "hat ein Produkt geprüft",
        imageChanged: "hat ein Bild geändert",
        promotionChanged: "hat die beworbenen Produkte geändert",
        contractAccepted: "hat den Vertrag angenommen",
        bankChanged: "hat das Bankkonto geändert",
        taxChanged: "hat das Steuerformular geändert",
        fileImported: "hat eine .storekit-Datei importiert",
        tableImported: "hat eine Tabelle mit Preisen und Texten importiert",
        offerAdded: "hat ein Angebot hinzugefügt",
        offerRemoved: "hat ein Angebot entfernt",
        codesMade: "hat Codes erzeugt",
        codesRevoked: "hat Codes widerrufen",
        priceScheduled: "hat einen Preis geplant",
        priceCancelled: "hat einen geplanten Preis abgesagt",
        purchaseRefunded: "hat einen Kauf erstattet",
        notificationResent: "hat eine Mitteilung noch einmal gesendet",
        contentPublished: "hat eine Version gehosteten Inhalts veröffentlicht",
        contentRemoved: "hat eine Version gehosteten Inhalts entfernt",
        itemAdded: "hat einen Artikel registriert",
        itemChanged: "hat einen Artikel geändert",
        testerAdded: "hat einen Sandbox-Tester hinzugefügt",
        testerChanged: "hat einen Sandbox-Tester geändert",
        testerCleared: "hat die Käufe eines Sandbox-Testers gelöscht",
        testerClock: "hat die Uhr eines Sandbox-Testers gestellt",
        testerFamily: "hat die Familie eines Sandbox-Testers geändert",
        testerRequest: "hat über die Kaufanfrage eines Sandbox-Testers entschieden",
        testerRemoved: "hat einen Sandbox-Tester entfernt")

    static let french = LogWords(
        search: "Utilisateur, objet ou valeur",
        none: "Rien n’a encore été modifié.",
        operatorName: "l’exploitant",
        change: "de {before} à {after}",
        before: "avant : {before}",
        after: "{after}",
        older: "Modifications plus anciennes",
        teamSetUp: "a mis en place l’équipe",
        userInvited: "a invité un utilisateur",
        invitationRevoked: "a retiré une invitation",
        userJoined: "a rejoint l’équipe",
        userRole: "a changé le rôle d’un utilisateur",
        userRemoved: "a supprimé un utilisateur",
        userName: "a changé son nom",
        passwordChanged: "a changé son mot de passe",
        recoveryMade: "a créé une adresse pour un nouveau mot de passe",
        recovered: "a choisi un nouveau mot de passe par une adresse",
        codesOn: "a activé l’app d’authentification",
        codesOff: "a désactivé l’app d’authentification",
        recoveryCodes: "a tiré de nouveaux codes de secours",
        keyMade: "a créé une clé",
        keyRevoked: "a révoqué une clé",
        appRegistered: "a enregistré une app",
        appName: "a changé le nom d’une app",
        appState: "a supprimé ou rétabli une app",
        appVersion: "a modifié les versions d’une app",
        storePageChanged: "a modifié la page d’une app dans la boutique",
        notificationAddress: "a modifié une adresse de notification",
        sharedSecret: "a créé un secret partagé",
        productRegistered: "a enregistré un produit",
        productChanged: "a modifié un produit",
        productSubmitted: "a soumis un produit à l’examen",
        productReviewed: "a examiné un produit",
        imageChanged: "a changé une image",
        promotionChanged: "a modifié les produits mis en avant",
        contractAccepted: "a accepté le contrat",
        bankChanged: "a modifié le compte bancaire",
        taxChanged: "a modifié le formulaire fiscal",
        fileImported: "a importé un fichier .storekit",
        tableImported: "a importé un tableau de prix et de textes",
        offerAdded: "a ajouté une offre",
        offerRemoved: "a supprimé une offre",
        codesMade: "a créé des codes",
        codesRevoked: "a révoqué des codes",
        priceScheduled: "a planifié un prix",
        priceCancelled: "a annulé un prix planifié",
        purchaseRefunded: "a remboursé un achat",
        notificationResent: "a renvoyé une notification",
        contentPublished: "a publié une version de contenu hébergé",
        contentRemoved: "a supprimé une version de contenu hébergé",
        itemAdded: "a enregistré un article",
        itemChanged: "a modifié un article",
        testerAdded: "a ajouté un testeur du sandbox",
        testerChanged: "a modifié un testeur du sandbox",
        testerCleared: "a effacé les achats d’un testeur du sandbox",
        testerClock: "a déplacé l’horloge d’un testeur du sandbox",
        testerFamily: "a modifié la famille d’un testeur du sandbox",
        testerRequest: "a décidé d’une demande d’achat d’un testeur du sandbox",
        testerRemoved: "a supprimé un testeur du sandbox")
}
