// SPDX-License-Identifier: Apache-2.0

/// The texts of the pages of users and invitations.
struct TeamWords: PageWords {
    var searchUsers: String
    var joined: String
    var codes: String
    var invite: String
    var inviteNote: String
    var email: String
    var role: String
    var inviteButton: String
    var invitations: String
    var noInvitations: String
    /// `{email}` is the inviting user's.
    var invitedBy: String
    /// `{date}`.
    var until: String
    var revoke: String
    var revoked: String
    var address: String
    /// `{email}` is the invited person's.
    var invited: String
    var addressNote: String
    var mailed: String
    var changeRole: String
    var roleChanged: String
    var recovery: String
    var recoveryNote: String
    var makeRecovery: String
    /// `{email}` is the user's.
    var recoveryMade: String
    var remove: String
    var removeNote: String
    var removeButton: String
    var removed: String

    static let english = TeamWords(
        searchUsers: "Name or e-mail address",
        joined: "since {date}",
        codes: "uses an authenticator app",
        invite: "Invite a user",
        inviteNote: "You get a one-time address for the person, who chooses a password there.",
        email: "E-mail address",
        role: "Role",
        inviteButton: "Invite",
        invitations: "Open invitations",
        noInvitations: "There is no open invitation.",
        invitedBy: "invited by {email}",
        until: "until {date}",
        revoke: "Revoke",
        revoked: "The invitation is revoked.",
        address: "One-time address",
        invited: "{email} is invited",
        addressNote: "Pass the address on to this person only. It is shown once.",
        mailed: "The store has also sent the person a message with another one-time address.",
        changeRole: "Change the role",
        roleChanged: "The role is changed.",
        recovery: "New password",
        recoveryNote: """
            A one-time address lets the user choose a new password. It also ends the use of the authenticator app.
            """,
        makeRecovery: "Make a one-time address",
        recoveryMade: "A new password for {email}",
        remove: "Remove the user",
        removeNote: """
            The user is signed out, and can’t sign in any more. The user’s keys, open invitations and one-time addresses \
            end. The log keeps the user’s changes.
            """,
        removeButton: "Remove",
        removed: "The user is removed.")

    static let german = TeamWords(
        searchUsers: "Name oder E-Mail-Adresse",
        joined: "seit {date}",
        codes: "verwendet eine Authenticator-App",
        invite: "Benutzer einladen",
        inviteNote: "Sie erhalten eine einmalige Adresse für die Person, die dort ein Passwort wählt.",
        email: "E-Mail-Adresse",
        role: "Rolle",
        inviteButton: "Einladen",
        invitations: "Offene Einladungen",
        noInvitations: "Es gibt keine offene Einladung.",
        invitedBy: "eingeladen von {email}",
        until: "bis {date}",
        revoke: "Zurückziehen",
        revoked: "Die Einladung ist zurückgezogen.",
        address: "Einmalige Adresse",
        invited: "{email} ist eingeladen",
        addressNote: "Geben Sie die Adresse nur an diese Person weiter. Sie wird einmal gezeigt.",
        mailed: "Der Store hat der Person auch eine Nachricht mit einer anderen einmaligen Adresse gesendet.",
        changeRole: "Rolle ändern",
        roleChanged: "Die Rolle ist geändert.",
        recovery: "Neues Passwort",
        recoveryNote: """
            Mit einer einmaligen Adresse wählt der Benutzer ein neues Passwort. Danach gilt auch die Authenticator-App \
            nicht mehr.
            """,
        makeRecovery: "Einmalige Adresse erzeugen",
        recoveryMade: "Ein neues Passwort für {email}",
        remove: "Benutzer entfernen",
        removeNote: """
            Der Benutzer wird abgemeldet und kann sich nicht mehr anmelden. Seine Schlüssel, offenen Einladungen und \
            einmaligen Adressen enden. Seine Änderungen bleiben in der Liste.
            """,
        removeButton: "Entfernen",
        removed: "Der Benutzer ist entfernt.")

    static let french = TeamWords(
        searchUsers: "Nom ou adresse e-mail",
        joined: "depuis le {date}",
        codes: "utilise une app d’authentification",
        invite: "Inviter un utilisateur",
        inviteNote: "Vous obtenez une adresse à usage unique pour la personne, qui y choisit un mot de passe.",
        email: "Adresse e-mail",
        role: "Rôle",
        inviteButton: "Inviter",
        invitations: "Invitations en cours",
        noInvitations: "Il n’y a pas d’invitation en cours.",
        invitedBy: "invité par {email}",
        until: "jusqu’au {date}",
        revoke: "Retirer",
        revoked: "L’invitation est retirée.",
        address: "Adresse à usage unique",
        invited: "{email} est invité",
        addressNote: "Ne transmettez l’adresse qu’à cette personne. Elle n’est montrée qu’une fois.",
        mailed: "La boutique a aussi envoyé un message avec une autre adresse à usage unique.",
        changeRole: "Changer le rôle",
        roleChanged: "Le rôle est changé.",
        recovery: "Nouveau mot de passe",
        recoveryNote: """
            Une adresse à usage unique permet à l’utilisateur de choisir un nouveau mot de passe. Elle met aussi fin à \
            l’usage de l’app d’authentification.
            """,
        makeRecovery: "Créer une adresse à usage unique",
        recoveryMade: "Un nouveau mot de passe pour {email}",
        remove: "Supprimer l’utilisateur",
        removeNote: """
            L’utilisateur est déconnecté et ne peut plus se connecter. Ses clés, ses invitations en cours et ses adresses à \
            usage unique prennent fin. Ses modifications restent dans la liste.
            """,
        removeButton: "Supprimer",
        removed: "L’utilisateur est supprimé.")
}
