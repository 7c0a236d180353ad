// SPDX-License-Identifier: Apache-2.0

/// The texts of the parts that all pages include.
struct FrameWords: PageWords {
    var environment: String
    var account: String
    var accountExample: String
    var password: String
    /// In the place of the password, in a browser in which it was typed lately.
    var passwordKnown: String
    var signIn: String
    var signOut: String
    var cancel: String
    /// The name of the links between the pages of an account.
    var navigation: String

    static let english = FrameWords(
        environment: "Environment",
        account: "Account",
        accountExample: "name@example.com",
        password: "Password",
        passwordKnown: "Typed a moment ago; not needed again",
        signIn: "Sign in",
        signOut: "Sign out",
        cancel: "Cancel",
        navigation: "Your account")

    static let german = FrameWords(
        environment: "Umgebung",
        account: "Account",
        accountExample: "name@example.com",
        password: "Passwort",
        passwordKnown: "Gerade eingegeben; nicht noch einmal nötig",
        signIn: "Anmelden",
        signOut: "Abmelden",
        cancel: "Abbrechen",
        navigation: "Ihr Account")

    static let french = FrameWords(
        environment: "Environnement",
        account: "Compte",
        accountExample: "nom@example.com",
        password: "Mot de passe",
        passwordKnown: "Saisi à l’instant ; inutile de le ressaisir",
        signIn: "Se connecter",
        signOut: "Se déconnecter",
        cancel: "Annuler",
        navigation: "Votre compte")
}
