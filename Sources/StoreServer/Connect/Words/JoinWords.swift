// SPDX-License-Identifier: Apache-2.0

/// The texts of the sign-in to Connect, and of the pages of one-time addresses.
struct JoinWords: PageWords {
    var signIn: String
    var email: String
    var password: String
    var code: String
    var codeHint: String
    var forgotten: String
    var forgottenNote: String
    var send: String
    var sent: String
    var setUp: String
    var setUpNote: String
    var team: String
    var teamHint: String
    var name: String
    var newPassword: String
    var passwordHint: String
    var begin: String
    /// `{team}` is a name.
    var join: String
    /// `{email}` and `{role}`.
    var joinNote: String
    var joinButton: String
    var recovery: String
    var recoveryButton: String
    var recovered: String
    var signedOut: String

    static let english = JoinWords(
        signIn: "Sign in to Connect",
        email: "E-mail address",
        password: "Password",
        code: "Code",
        codeHint: "If you use an authenticator app: its current code, or a recovery code.",
        forgotten: "Forgot your password?",
        forgottenNote: "If Connect has a user with this address, the store sends a link to a new password.",
        send: "Send a link",
        sent: "If Connect has a user with this address, a message is under way.",
        setUp: "Set up Connect",
        setUpNote: """
            Connect is where apps and their products are registered. You become the account holder of this store’s \
            team, and can invite others.
            """,
        team: "Name of the team",
        teamHint: "Your company, or your own name.",
        name: "Your name",
        newPassword: "New password",
        passwordHint: "At least 10 characters.",
        begin: "Set up",
        join: "Join {team}",
        joinNote: "You are invited as {email}, with this role: {role}.",
        joinButton: "Join",
        recovery: "Choose a new password",
        recoveryButton: "Save the password",
        recovered: "The password is saved. Sign in with it.",
        signedOut: "You are signed out.")

    static let german = JoinWords(
        signIn: "Bei Connect anmelden",
        email: "E-Mail-Adresse",
        password: "Passwort",
        code: "Code",
        codeHint: "Falls Sie eine Authenticator-App verwenden: ihr aktueller Code oder ein Wiederherstellungscode.",
        forgotten: "Passwort vergessen?",
        forgottenNote: """
            Wenn Connect einen Benutzer mit dieser Adresse hat, sendet der Store einen Link zu einem neuen Passwort.
            """,
        send: "Link senden",
        sent: "Wenn Connect einen Benutzer mit dieser Adresse hat, ist eine Nachricht unterwegs.",
        setUp: "Connect einrichten",
        setUpNote: """
            In Connect werden Apps und ihre Produkte registriert. Sie werden Account-Inhaber des Teams dieses Stores \
            und können andere einladen.
            """,
        team: "Name des Teams",
        teamHint: "Ihre Firma oder Ihr eigener Name.",
        name: "Ihr Name",
        newPassword: "Neues Passwort",
        passwordHint: "Mindestens 10 Zeichen.",
        begin: "Einrichten",
        join: "{team} beitreten",
        joinNote: "Sie sind als {email} eingeladen, mit dieser Rolle: {role}.",
        joinButton: "Beitreten",
        recovery: "Neues Passwort wählen",
        recoveryButton: "Passwort speichern",
        recovered: "Das Passwort ist gespeichert. Melden Sie sich damit an.",
        signedOut: "Sie sind abgemeldet.")

    static let french = JoinWords(
        signIn: "Se connecter à Connect",
        email: "Adresse e-mail",
        password: "Mot de passe",
        code: "Code",
        codeHint: "Si vous utilisez une app d’authentification : son code actuel, ou un code de secours.",
        forgotten: "Mot de passe oublié ?",
        forgottenNote: """
            Si Connect a un utilisateur avec cette adresse, la boutique envoie un lien vers un nouveau mot de passe.
            """,
        send: "Envoyer un lien",
        sent: "Si Connect a un utilisateur avec cette adresse, un message est en route.",
        setUp: "Mettre en place Connect",
        setUpNote: """
            Les apps et leurs produits s’enregistrent dans Connect. Vous devenez titulaire du compte de l’équipe de \
            cette boutique, et vous pouvez inviter d’autres personnes.
            """,
        team: "Nom de l’équipe",
        teamHint: "Votre entreprise, ou votre propre nom.",
        name: "Votre nom",
        newPassword: "Nouveau mot de passe",
        passwordHint: "Au moins 10 caractères.",
        begin: "Mettre en place",
        join: "Rejoindre {team}",
        joinNote: "Vous êtes invité en tant que {email}, avec ce rôle : {role}.",
        joinButton: "Rejoindre",
        recovery: "Choisir un nouveau mot de passe",
        recoveryButton: "Enregistrer le mot de passe",
        recovered: "Le mot de passe est enregistré. Connectez-vous avec lui.",
        signedOut: "Vous êtes déconnecté.")
}
