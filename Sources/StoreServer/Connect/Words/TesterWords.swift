// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the pages of sandbox testers.
struct TesterWords: PageWords {
    var search: String
    var none: String
    var add: String
    var addNote: String
    var added: String
    var email: String
    var password: String
    var passwordHint: String
    var name: String
    var storefront: String
    var allStorefronts: String
    var settings: String
    var barred: String
    var asksToBuy: String
    var interrupts: String
    var declines: String
    var retries: String
    var clock: String
    var clockNote: String
    var time: String
    var nextStep: String
    var speed: String
    var realTime: String
    var setSpeed: String
    var move: String
    var moveBy: String
    var day: String
    var week: String
    var month: String
    var year: String
    var toNext: String
    var moved: String
    var clear: String
    var clearNote: String
    var clearButton: String
    var cleared: String
    var family: String
    var noFamily: String
    var beginFamily: String
    var member: String
    var memberHint: String
    var role: String
    var organiser: String
    var parent: String
    var adult: String
    var child: String
    var addMember: String
    var leaveFamily: String
    var endFamily: String
    var familyChanged: String
    var waiting: String
    var approve: String
    var decline: String
    var decided: String
    var remove: String
    var removeNote: String
    var removeButton: String
    var removed: String
    var transactions: String
    var live: String
    var onlySandbox: String
}

extension TesterWords {
    static let english = TesterWords(
        search: "Name or e-mail address",
        none: """
            The team has no tester yet. Add one, and sign in with it on the device: its purchases are paid with play \
            money.
            """,
        add: "Add a tester",
        addNote: "The address needn’t exist. A tester can buy in every app of the sandbox.",
        added: "The tester is added. Sign in with the address and the password when an app asks.",
        email: "E-mail address",
        password: "Password",
        passwordHint: "At least one character. It isn’t shown again.",
        name: "Name",
        storefront: "Storefront",
        allStorefronts: "All storefronts",
        settings: "Settings",
        barred: "The store sells nothing to it",
        asksToBuy: "Ask to Buy: another person approves its purchases",
        interrupts: "Purchases are interrupted",
        declines: "Cards are declined, also for renewals",
        retries: "Notifications are sent again as in production",
        clock: "Clock and renewals",
        clockNote: "A moved clock carries out everything that falls due in between. A family has one clock.",
        time: "The tester’s time",
        nextStep: "Next event of a subscription",
        speed: "Length of a month",
        realTime: "as in production",
        setSpeed: "Set the length",
        move: "Move the clock",
        moveBy: "Forward by",
        day: "a day",
        week: "a week",
        month: "a month",
        year: "a year",
        toNext: "to the next event",
        moved: "The clock is set.",
        clear: "Clear purchase history",
        clearNote: """
            All purchases and subscriptions of the tester are deleted, with the uses of offers. Devices remove the \
            transactions.
            """,
        clearButton: "Clear the history",
        cleared: "The purchase history is cleared.",
        family: "Family",
        noFamily: "The tester is in no family.",
        beginFamily: "Begin a family",
        member: "E-mail address of another tester",
        memberHint: "It is in the same storefront, and gets this tester’s clock.",
        role: "Role",
        organiser: "organiser",
        parent: "parent",
        adult: "adult",
        child: "child",
        addMember: "Add to the family",
        leaveFamily: "Leave the family",
        endFamily: "End the family",
        familyChanged: "The family is changed.",
        waiting: "Requests that wait for an approval",
        approve: "Approve",
        decline: "Decline",
        decided: "The request is answered.",
        remove: "Remove the tester",
        removeNote: "The account is closed permanently. Its purchases stay in the lists.",
        removeButton: "Remove the tester",
        removed: "The tester is removed.",
        transactions: "Purchases of the tester",
        live: "Live page of the tester",
        onlySandbox: "Testers are accounts of the sandbox.")

    static let german = TesterWords(
        search: "Name oder E-Mail-Adresse",
        none: """
            Das Team hat noch keinen Tester. Fügen Sie einen hinzu, und melden Sie sich mit ihm auf dem Gerät an: Seine \
            Käufe werden mit Spielgeld bezahlt.
            """,
        add: "Tester hinzufügen",
        addNote: "Die Adresse muss es nicht geben. Ein Tester kann in jeder App der Sandbox kaufen.",
        added: "Der Tester ist hinzugefügt. Melden Sie sich mit Adresse und Passwort an, wenn eine App danach fragt.",
        email: "E-Mail-Adresse",
        password: "Passwort",
        passwordHint: "Mindestens ein Zeichen. Es wird nicht noch einmal angezeigt.",
        name: "Name",
        storefront: "Land",
        allStorefronts: "Alle Länder",
        settings: "Einstellungen",
        barred: "Der Store verkauft ihm nichts",
        asksToBuy: "Kaufanfrage: Eine andere Person genehmigt seine Käufe",
        interrupts: "Käufe werden unterbrochen",
        declines: "Karten werden abgelehnt, auch bei Verlängerungen",
        retries: "Mitteilungen werden wie in der Produktion wiederholt",
        clock: "Uhr und Verlängerungen",
        clockNote: "Eine gestellte Uhr führt alles aus, was inzwischen fällig wird. Eine Familie hat eine Uhr.",
        time: "Zeit des Testers",
        nextStep: "Nächstes Ereignis eines Abonnements",
        speed: "Länge eines Monats",
        realTime: "wie in der Produktion",
        setSpeed: "Länge setzen",
        move: "Uhr stellen",
        moveBy: "Vorwärts um",
        day: "einen Tag",
        week: "eine Woche",
        month: "einen Monat",
        year: "ein Jahr",
        toNext: "bis zum nächsten Ereignis",
        moved: "Die Uhr ist gestellt.",
        clear: "Kaufverlauf löschen",
        clearNote: """
            Alle Käufe und Abonnements des Testers werden gelöscht, auch die Nutzung von Angeboten. Geräte entfernen \
            die Transaktionen.
            """,
        clearButton: "Verlauf löschen",
        cleared: "Der Kaufverlauf ist gelöscht.",
        family: "Familie",
        noFamily: "Der Tester ist in keiner Familie.",
        beginFamily: "Familie beginnen",
        member: "E-Mail-Adresse eines anderen Testers",
        memberHint: "Er ist im selben Land und bekommt die Uhr dieses Testers.",
        role: "Rolle",
        organiser: "Organisator",
        parent: "Elternteil",
        adult: "Erwachsener",
        child: "Kind",
        addMember: "Zur Familie hinzufügen",
        leaveFamily: "Familie verlassen",
        endFamily: "Familie beenden",
        familyChanged: "Die Familie ist geändert.",
        waiting: "Anfragen, die auf eine Genehmigung warten",
        approve: "Genehmigen",
        decline: "Ablehnen",
        decided: "Die Anfrage ist beantwortet.",
        remove: "Tester entfernen",
        removeNote: "Das Konto wird endgültig geschlossen. Seine Käufe bleiben in den Listen.",
        removeButton: "Tester entfernen",
        removed: "Der Tester ist entfernt.",
        transactions: "Käufe des Testers",
        live: "Live-Seite des Testers",
        onlySandbox: "Tester sind Konten der Sandbox.")

    static let french = TesterWords(
        search: "Nom ou adresse e-mail",
        none: """
            L’équipe n’a pas encore de testeur. Ajoutez-en un, et connectez-vous avec lui sur l’appareil : ses achats \
            sont payés avec de l’argent fictif.
            """,
        add: "Ajouter un testeur",
        addNote: "L’adresse n’a pas besoin d’exister. Un testeur peut acheter dans chaque app du sandbox.",
        added: "Le testeur est ajouté. Connectez-vous avec l’adresse et le mot de passe quand une app le demande.",
        email: "Adresse e-mail",
        password: "Mot de passe",
        passwordHint: "Au moins un caractère. Il n’est plus affiché ensuite.",
        name: "Nom",
        storefront: "Pays",
        allStorefronts: "Tous les pays",
        settings: "Réglages",
        barred: "La boutique ne lui vend rien",
        asksToBuy: "Demander d’acheter : une autre personne approuve ses achats",
        interrupts: "Les achats sont interrompus",
        declines: "Les cartes sont refusées, aussi pour les renouvellements",
        retries: "Les notifications sont répétées comme en production",
        clock: "Horloge et renouvellements",
        clockNote: "Une horloge déplacée exécute tout ce qui échoit entre-temps. Une famille a une seule horloge.",
        time: "Heure du testeur",
        nextStep: "Prochain événement d’un abonnement",
        speed: "Durée d’un mois",
        realTime: "comme en production",
        setSpeed: "Fixer la durée",
        move: "Déplacer l’horloge",
        moveBy: "Avancer",
        day: "d’un jour",
        week: "d’une semaine",
        month: "d’un mois",
        year: "d’un an",
        toNext: "jusqu’au prochain événement",
        moved: "L’horloge est réglée.",
        clear: "Effacer l’historique des achats",
        clearNote: """
            Tous les achats et abonnements du testeur sont supprimés, avec l’usage des offres. Les appareils retirent \
            les transactions.
            """,
        clearButton: "Effacer l’historique",
        cleared: "L’historique des achats est effacé.",
        family: "Famille",
        noFamily: "Le testeur n’est dans aucune famille.",
        beginFamily: "Commencer une famille",
        member: "Adresse e-mail d’un autre testeur",
        memberHint: "Il est dans le même pays et reçoit l’horloge de ce testeur.",
        role: "Rôle",
        organiser: "organisateur",
        parent: "parent",
        adult: "adulte",
        child: "enfant",
        addMember: "Ajouter à la famille",
        leaveFamily: "Quitter la famille",
        endFamily: "Mettre fin à la famille",
        familyChanged: "La famille est modifiée.",
        waiting: "Demandes qui attendent une approbation",
        approve: "Approuver",
        decline: "Refuser",
        decided: "La demande a reçu une réponse.",
        remove: "Supprimer le testeur",
        removeNote: "Le compte est fermé définitivement. Ses achats restent dans les listes.",
        removeButton: "Supprimer le testeur",
        removed: "Le testeur est supprimé.",
        transactions: "Achats du testeur",
        live: "Page en direct du testeur",
        onlySandbox: "Les testeurs sont des comptes du sandbox.")

    /// The sentence of a switch that is on.
    func name(_ setting: AccountSwitch) -> String {
        switch setting {
        case .barred: barred
        case .asksToBuy: asksToBuy
        case .interruptsPurchases: interrupts
        case .declinesPayments: declines
        case .retriesNotifications: retries
        default: setting.note
        }
    }

    func name(_ role: FamilyMember.Role) -> String {
        switch role {
        case .organiser: organiser
        case .parent: parent
        case .adult: adult
        case .child: child
        default: role.rawValue
        }
    }
}
