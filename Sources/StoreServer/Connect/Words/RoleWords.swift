// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The names of roles and of their actions.
struct RoleWords: PageWords {
    var accountHolder: String
    var admin: String
    var developer: String
    var marketing: String
    var finance: String
    var support: String
    var seeUsers: String
    var manageUsers: String
    var appointHolders: String
    var readLog: String
    var manageKeys: String
    var seeApps: String
    var registerApps: String
    var manageServers: String
    var editProducts: String
    var promoteProducts: String
    var seeAgreements: String
    var acceptAgreements: String
    var editPayee: String
    var manageOffers: String
    var seeTransactions: String
    var seeContacts: String
    var refundPurchases: String
    var resendNotifications: String
    var seeTesters: String
    var manageTesters: String
    var reviewProducts: String
    var caption: String
    var note: String
    var allowed: String
    var refused: String

    static let english = RoleWords(
        accountHolder: "Account holder",
        admin: "Admin",
        developer: "Developer",
        marketing: "Marketing",
        finance: "Finance",
        support: "Support",
        seeUsers: "See the team’s users",
        manageUsers: "Invite and remove users, and give roles",
        appointHolders: "Invite, appoint and remove account holders",
        readLog: "Read the log of changes",
        manageKeys: "Make, see and revoke API keys",
        seeApps: "See apps and products",
        registerApps: "Register apps, and change their names",
        manageServers: "See and set notification addresses and shared secrets",
        editProducts: "Register, change and submit products",
        promoteProducts: "Promote products, and set images and icons",
        seeAgreements: "See the contract, and the masked bank account and tax form",
        acceptAgreements: "Accept the contract",
        editPayee: "Change the bank account and the tax form",
        manageOffers: "Add and remove offers, make and revoke codes",
        seeTransactions: "See the purchases of the apps",
        seeContacts: "See the contacts that customers have shared",
        refundPurchases: "Refund purchases",
        resendNotifications: "Send notifications again",
        seeTesters: "See sandbox testers, and what happens in the sandbox",
        manageTesters: "Add and change sandbox testers",
        reviewProducts: "Review the products of all teams",
        caption: "The actions of each role",
        note: "Every user may see this page, and change their own name, password and authenticator app.",
        allowed: "yes",
        refused: "no")

    static let german = RoleWords(
        accountHolder: "Account-Inhaber",
        admin: "Administrator",
        developer: "Entwickler",
        marketing: "Marketing",
        finance: "Finanzen",
        support: "Kundendienst",
        seeUsers: "Die Benutzer des Teams sehen",
        manageUsers: "Benutzer einladen und entfernen, Rollen geben",
        appointHolders: "Account-Inhaber einladen, ernennen und entfernen",
        readLog: "Die Liste der Änderungen lesen",
        manageKeys: "API-Schlüssel erzeugen, sehen und widerrufen",
        seeApps: "Apps und Produkte sehen",
        registerApps: "Apps registrieren und umbenennen",
        manageServers: "Adressen für Mitteilungen und Shared Secrets sehen und setzen",
        editProducts: "Produkte registrieren, ändern und einreichen",
        promoteProducts: "Produkte bewerben, Bilder und Symbole setzen",
        seeAgreements: "Den Vertrag sehen, Bankkonto und Steuerformular verdeckt",
        acceptAgreements: "Den Vertrag annehmen",
        editPayee: "Bankkonto und Steuerformular ändern",
        manageOffers: "Angebote hinzufügen und entfernen, Codes erzeugen und widerrufen",
        seeTransactions: "Die Käufe in den Apps sehen",
        seeContacts: "Kontakte sehen, die Kunden weitergegeben haben",
        refundPurchases: "Käufe erstatten",
        resendNotifications: "Mitteilungen noch einmal senden",
        seeTesters: "Sandbox-Tester und die Vorgänge in der Sandbox sehen",
        manageTesters: "Sandbox-Tester hinzufügen und ändern",
        reviewProducts: "Die Produkte aller Teams prüfen",
        caption: "Was jede Rolle darf",
        note: "Alle Benutzer dürfen diese Seite sehen und ihren Namen, ihr Passwort und ihre Authenticator-App ändern.",
        allowed: "ja",
        refused: "nein")

    static let french = RoleWords(
        accountHolder: "Titulaire du compte",
        admin: "Administrateur",
        developer: "Développeur",
        marketing: "Marketing",
        finance: "Finance",
        support: "Assistance",
        seeUsers: "Voir les utilisateurs de l’équipe",
        manageUsers: "Inviter et supprimer des utilisateurs, donner des rôles",
        appointHolders: "Inviter, nommer et supprimer des titulaires du compte",
        readLog: "Lire la liste des modifications",
        manageKeys: "Créer, voir et révoquer des clés d’API",
        seeApps: "Voir les apps et les produits",
        registerApps: "Enregistrer des apps et changer leur nom",
        manageServers: "Voir et définir les adresses de notification et les secrets partagés",
        editProducts: "Enregistrer, modifier et soumettre des produits",
        promoteProducts: "Mettre des produits en avant, choisir images et icônes",
        seeAgreements: "Voir le contrat, le compte bancaire et le formulaire fiscal masqués",
        acceptAgreements: "Accepter le contrat",
        editPayee: "Modifier le compte bancaire et le formulaire fiscal",
        manageOffers: "Ajouter et supprimer des offres, créer et révoquer des codes",
        seeTransactions: "Voir les achats dans les apps",
        seeContacts: "Voir les coordonnées communiquées par les clients",
        refundPurchases: "Rembourser des achats",
        resendNotifications: "Renvoyer des notifications",
        seeTesters: "Voir les testeurs du sandbox et ce qui s’y passe",
        manageTesters: "Ajouter et modifier des testeurs du sandbox",
        reviewProducts: "Examiner les produits de toutes les équipes",
        caption: "Les actions de chaque rôle",
        note: """
            Chaque utilisateur peut voir cette page et modifier son nom, son mot de passe et son app d’authentification.
            """,
        allowed: "oui",
        refused: "non")

    func name(_ role: TeamRole) -> String {
        switch role {
        case .accountHolder: accountHolder
        case .admin: admin
        case .developer: developer
        case .marketing: marketing
        case .finance: finance
        case .support: support
        }
    }

    func name(_ action: TeamAction) -> String {
        switch action {
        case .seeUsers: seeUsers
        case .manageUsers: manageUsers
        case .appointHolders: appointHolders
        case .readLog: readLog
        case .manageKeys: manageKeys
        case .seeApps: seeApps
        case .registerApps: registerApps
        case .manageServers: manageServers
        case .editProducts: editProducts
        case .promoteProducts: promoteProducts
        case .seeAgreements: seeAgreements
        case .acceptAgreements: acceptAgreements
        case .editPayee: editPayee
        case .manageOffers: manageOffers
        case .seeTransactions: seeTransactions
        case .seeContacts: seeContacts
        case .refundPurchases: refundPurchases
        case .resendNotifications: resendNotifications
        case .seeTesters: seeTesters
        case .manageTesters: manageTesters
        case .reviewProducts: reviewProducts
        }
    }

    /// The choices of a field with roles that a user may give.
    func options(for user: TeamUser) -> [ConsoleOption] {
        TeamRole.allCases.filter { user.role.may($0.assignment) }.map { ConsoleOption($0.rawValue, name($0)) }
    }
}
