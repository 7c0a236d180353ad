// SPDX-License-Identifier: Apache-2.0

/// The texts of the page on which customers delete their account.
struct DeletionWords: PageWords {
    var consequences: String
    var books: String
    var delete: String
    var title: String
    var deleted: String

    static let english = DeletionWords(
        consequences: """
            Deleting the account can't be undone. Your name, your address and your password are deleted, you are \
            signed out in all browsers and on all devices, and your subscriptions don't renew any more.
            """,
        books: """
            You can't restore your purchases afterwards. The store keeps the records of sales and refunds that its \
            books need, without your name and your address.
            """,
        delete: "Delete the account",
        title: "Deleted",
        deleted: "The account is deleted. You can close this page.")

    static let german = DeletionWords(
        consequences: """
            Das Löschen des Accounts lässt sich nicht rückgängig machen. Ihr Name, Ihre Adresse und Ihr Passwort \
            werden gelöscht, Sie werden in allen Browsern und auf allen Geräten abgemeldet, und Ihre Abonnements \
            verlängern sich nicht mehr.
            """,
        books: """
            Danach können Sie Ihre Käufe nicht wiederherstellen. Der Store behält die Angaben über Verkäufe und \
            Erstattungen, die er für seine Bücher braucht, ohne Ihren Namen und Ihre Adresse.
            """,
        delete: "Account löschen",
        title: "Gelöscht",
        deleted: "Der Account ist gelöscht. Sie können diese Seite schließen.")

    static let french = DeletionWords(
        consequences: """
            La suppression du compte est définitive. Votre nom, votre adresse et votre mot de passe sont supprimés, \
            vous êtes déconnecté de tous les navigateurs et de tous les appareils, et vos abonnements ne se \
            renouvellent plus.
            """,
        books: """
            Vous ne pourrez plus restaurer vos achats. La boutique conserve les données de ventes et de \
            remboursements nécessaires à sa comptabilité, sans votre nom ni votre adresse.
            """,
        delete: "Supprimer le compte",
        title: "Supprimé",
        deleted: "Le compte est supprimé. Vous pouvez fermer cette page.")
}
