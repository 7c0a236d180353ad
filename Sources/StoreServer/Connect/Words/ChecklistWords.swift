// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of an app's check list.
struct ChecklistWords: PageWords {
    var title: String
    var lead: String
    var complete: String
    var done: String
    var missing: String
    var optional: String
    var app: String
    var product: String
    var productMissing: String
    var sold: String
    /// `{product}` and `{values}`.
    var incomplete: String
    /// `{product}` and `{state}`.
    var notSold: String
    var tester: String
    var testerMissing: String
    var request: String
    var requestMissing: String
    var purchase: String
    var purchaseMissing: String
    /// `{reason}`.
    var lastFailure: String
    var finish: String
    var finishMissing: String
    var notifications: String
    var notificationsMissing: String

    static let english = ChecklistWords(
        title: "Checklist for the first purchase",
        lead: "The first step that is missing is the next one to do. Each step links to its page.",
        complete: "The app works: a purchase was made, and the app has finished it.",
        done: "done",
        missing: "missing",
        optional: "optional, missing",
        app: "The app is registered",
        product: "The app has a product",
        productMissing: "Register a product of the app. A product identifier can’t be used again.",
        sold: "A product is sold",
        incomplete: "{product} lacks: {values}.",
        notSold: "{product} isn’t sold: {state}.",
        tester: "The team has a tester",
        testerMissing: "Add a tester. The app asks for its address and password at the first purchase.",
        request: "A device has asked for a payment",
        requestMissing: """
            Start the app on a device that uses this store, and press Buy. If nothing appears here, check the store’s \
            address on the device, and the app’s bundle identifier and product identifiers, which are compared exactly.
            """,
        purchase: "A purchase was made",
        purchaseMissing: "Confirm the payment on its sheet as a tester. The live page shows where it waits.",
        lastFailure: "The newest payment has failed: {reason}",
        finish: "The app has finished a transaction",
        finishMissing: """
            The app has to call finishTransaction(_:) or finish() after it has delivered the product. Until then the \
            store delivers the transaction at each start.
            """,
        notifications: "Your server is notified",
        notificationsMissing: "Add the address of your server on the page Notification addresses.")

    static let german = ChecklistWords(
        title: "Prüfliste bis zum ersten Kauf",
        lead: "Der erste fehlende Schritt ist der nächste. Jeder Schritt führt zu seiner Seite.",
        complete: "Die App funktioniert: Es wurde gekauft, und die App hat den Kauf abgeschlossen.",
        done: "erledigt",
        missing: "fehlt",
        optional: "optional, fehlt",
        app: "Die App ist registriert",
        product: "Die App hat ein Produkt",
        productMissing: "Registrieren Sie ein Produkt der App. Eine Produkt-ID kann nicht wieder verwendet werden.",
        sold: "Ein Produkt wird verkauft",
        incomplete: "{product} fehlt: {values}.",
        notSold: "{product} wird nicht verkauft: {state}.",
        tester: "Das Team hat einen Tester",
        testerMissing: "Fügen Sie einen Tester hinzu. Die App fragt beim ersten Kauf nach Adresse und Passwort.",
        request: "Ein Gerät hat um eine Zahlung gebeten",
        requestMissing: """
            Starten Sie die App auf einem Gerät, das diesen Store benutzt, und drücken Sie auf Kaufen. Wenn hier nichts \
            erscheint, prüfen Sie die Adresse des Stores auf dem Gerät sowie Bundle-ID und Produkt-IDs der App, die genau \
            verglichen werden.
            """,
        purchase: "Es wurde gekauft",
        purchaseMissing: """
            Bestätigen Sie die Zahlung auf dem Kaufblatt als Tester. Die Live-Seite zeigt, wo sie wartet.
            """,
        lastFailure: "Die neueste Zahlung ist gescheitert: {reason}",
        finish: "Die App hat eine Transaktion abgeschlossen",
        finishMissing: """
            Die App muss finishTransaction(_:) oder finish() aufrufen, nachdem sie das Produkt geliefert hat. Bis dahin \
            liefert der Store die Transaktion bei jedem Start.
            """,
        notifications: "Ihr Server erhält Mitteilungen",
        notificationsMissing: "Fügen Sie die Adresse Ihres Servers auf der Seite Adressen für Mitteilungen hinzu.")

    static let french = ChecklistWords(
        title: "Étapes jusqu’au premier achat",
        lead: "La première étape qui manque est la suivante à faire. Chaque étape mène à sa page.",
        complete: "L’app fonctionne : un achat a été fait, et l’app l’a terminé.",
        done: "fait",
        missing: "manque",
        optional: "facultatif, manque",
        app: "L’app est enregistrée",
        product: "L’app a un produit",
        productMissing: "Enregistrez un produit de l’app. Un identifiant de produit ne peut pas être réutilisé.",
        sold: "Un produit est vendu",
        incomplete: "Il manque à {product} : {values}.",
        notSold: "{product} n’est pas vendu : {state}.",
        tester: "L’équipe a un testeur",
        testerMissing: "Ajoutez un testeur. L’app demande son adresse et son mot de passe au premier achat.",
        request: "Un appareil a demandé un paiement",
        requestMissing: """
            Lancez l’app sur un appareil qui utilise cette boutique, et appuyez sur Acheter. Si rien n’apparaît ici, vérifiez \
            l’adresse de la boutique sur l’appareil, ainsi que l’identifiant de bundle et ceux des produits, qui sont comparés \
            exactement.
            """,
        purchase: "Un achat a été fait",
        purchaseMissing: """
            Confirmez le paiement sur la feuille d’achat avec un testeur. La page en direct montre où il attend.
            """,
        lastFailure: "Le dernier paiement a échoué : {reason}",
        finish: "L’app a terminé une transaction",
        finishMissing: """
            L’app doit appeler finishTransaction(_:) ou finish() après avoir livré le produit. Jusque-là, la boutique livre \
            la transaction à chaque démarrage.
            """,
        notifications: "Votre serveur reçoit des notifications",
        notificationsMissing: "Ajoutez l’adresse de votre serveur sur la page Adresses de notification.")

    func name(_ step: AppChecklist.Step) -> String {
        switch step {
        case .app: app
        case .product: product
        case .sold: sold
        case .tester: tester
        case .request: request
        case .purchase: purchase
        case .finish: finish
        case .notifications: notifications
        }
    }
}
