// SPDX-License-Identifier: Apache-2.0

/// The texts of a user's page of the own account.
struct OwnWords: PageWords {
    var name: String
    /// `{role}`.
    var role: String
    var password: String
    var present: String
    var new: String
    var passwordHint: String
    var changePassword: String
    var passwordChanged: String
    var app: String
    var appOff: String
    /// `{count}` is a number.
    var appOn: String
    var passwordToConfirm: String
    var begin: String
    var pending: String
    /// Above a QR code.
    var scan: String
    /// The description of the image.
    var qrCode: String
    var secret: String
    var link: String
    var code: String
    var confirm: String
    var cancel: String
    var end: String
    var ended: String
    var newCodes: String
    var codes: String
    var codesNote: String
    var done: String
    var sessions: String
    var unnamed: String
    var current: String
    /// `{opened}` and `{seen}`.
    var opened: String
    var endSession: String
    var sessionEnded: String
    var endOthers: String
    var othersEnded: String

    static let english = OwnWords(
        name: "Name",
        role: "Your role: {role}.",
        password: "Password",
        present: "Current password",
        new: "New password",
        passwordHint: "At least 10 characters.",
        changePassword: "Change the password",
        passwordChanged: "The password is changed. All other browsers are signed out.",
        app: "Authenticator app",
        appOff: "An authenticator app makes codes. With one, a stolen password isn’t enough to sign in.",
        appOn: "The sign-in needs a code of your authenticator app. You have {count} recovery codes left.",
        passwordToConfirm: "Password",
        begin: "Use an authenticator app",
        pending: "Open the link on the device with the app, or type the secret into it. Then type the first code.",
        scan: "Scan the QR code with the app, or use one of the other ways.",
        qrCode: "QR code of the secret",
        secret: "Secret",
        link: "Open in the app of this device",
        code: "First code",
        confirm: "Turn on",
        cancel: "Cancel",
        end: "Turn off",
        ended: "The sign-in needs no code any more.",
        newCodes: "New recovery codes",
        codes: "Recovery codes",
        codesNote: "Each code signs you in once without the app. They are shown this once: print or save them.",
        done: "I have saved them",
        sessions: "Browsers in which you are signed in",
        unnamed: "A browser without a name",
        current: "this browser",
        opened: "signed in on {opened}, last used on {seen}",
        endSession: "Sign out",
        sessionEnded: "The browser is signed out.",
        endOthers: "Sign out all other browsers",
        othersEnded: "All other browsers are signed out.")

    static let german = OwnWords(
        name: "Name",
        role: "Ihre Rolle: {role}.",
        password: "Passwort",
        present: "Bisheriges Passwort",
        new: "Neues Passwort",
        passwordHint: "Mindestens 10 Zeichen.",
        changePassword: "Passwort ändern",
        passwordChanged: "Das Passwort ist geändert. Alle anderen Browser sind abgemeldet.",
        app: "Authenticator-App",
        appOff: "Eine Authenticator-App erzeugt Codes. Mit ihr reicht ein gestohlenes Passwort nicht zur Anmeldung.",
        appOn: "Die Anmeldung braucht einen Code Ihrer App. Sie haben noch {count} Wiederherstellungscodes.",
        passwordToConfirm: "Passwort",
        begin: "Authenticator-App verwenden",
        pending: """
            Öffnen Sie den Link auf dem Gerät mit der App, oder geben Sie dort das Geheimnis ein. Geben Sie dann hier \
            den ersten Code ein.
            """,
        scan: "Lesen Sie den QR-Code mit der App ein, oder nehmen Sie einen der anderen Wege.",
        qrCode: "QR-Code des Geheimnisses",
        secret: "Geheimnis",
        link: "In der App dieses Geräts öffnen",
        code: "Erster Code",
        confirm: "Einschalten",
        cancel: "Abbrechen",
        end: "Ausschalten",
        ended: "Die Anmeldung braucht keinen Code mehr.",
        newCodes: "Neue Wiederherstellungscodes",
        codes: "Wiederherstellungscodes",
        codesNote: """
            Jeder Code meldet Sie einmal ohne die App an. Sie werden nur dieses Mal gezeigt: Drucken oder speichern \
            Sie sie.
            """,
        done: "Ich habe sie gespeichert",
        sessions: "Browser, in denen Sie angemeldet sind",
        unnamed: "Ein Browser ohne Namen",
        current: "dieser Browser",
        opened: "angemeldet am {opened}, zuletzt benutzt am {seen}",
        endSession: "Abmelden",
        sessionEnded: "Der Browser ist abgemeldet.",
        endOthers: "Alle anderen Browser abmelden",
        othersEnded: "Alle anderen Browser sind abgemeldet.")

    static let french = OwnWords(
        name: "Nom",
        role: "Votre rôle : {role}.",
        password: "Mot de passe",
        present: "Mot de passe actuel",
        new: "Nouveau mot de passe",
        passwordHint: "Au moins 10 caractères.",
        changePassword: "Changer le mot de passe",
        passwordChanged: "Le mot de passe est changé. Tous les autres navigateurs sont déconnectés.",
        app: "App d’authentification",
        appOff: "Une app d’authentification crée des codes. Un mot de passe volé ne suffit alors plus.",
        appOn: "La connexion demande un code de votre app. Il vous reste {count} codes de secours.",
        passwordToConfirm: "Mot de passe",
        begin: "Utiliser une app d’authentification",
        pending: """
            Ouvrez le lien sur l’appareil où se trouve l’app, ou saisissez-y le secret. Saisissez ensuite ici le premier \
            code.
            """,
        scan: "Scannez le code QR avec l’app, ou choisissez un autre moyen.",
        qrCode: "Code QR du secret",
        secret: "Secret",
        link: "Ouvrir dans l’app de cet appareil",
        code: "Premier code",
        confirm: "Activer",
        cancel: "Annuler",
        end: "Désactiver",
        ended: "La connexion ne demande plus de code.",
        newCodes: "Nouveaux codes de secours",
        codes: "Codes de secours",
        codesNote: """
            Chaque code vous connecte une fois sans l’app. Ils ne sont montrés que cette fois : imprimez-les ou \
            enregistrez-les.
            """,
        done: "Je les ai enregistrés",
        sessions: "Navigateurs où vous êtes connecté",
        unnamed: "Un navigateur sans nom",
        current: "ce navigateur",
        opened: "connecté le {opened}, dernière utilisation le {seen}",
        endSession: "Déconnecter",
        sessionEnded: "Le navigateur est déconnecté.",
        endOthers: "Déconnecter tous les autres navigateurs",
        othersEnded: "Tous les autres navigateurs sont déconnectés.")
}
