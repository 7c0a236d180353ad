// SPDX-License-Identifier: Apache-2.0

/// The texts of the pages of products.
struct ProductWords: PageWords {
    var products: String
    var search: String
    var none: String
    /// `{kind}` is the type.
    var newOf: String
    var register: String
    var registerNote: String
    var registered: String
    var edit: String
    var kind: String
    var allKinds: String
    var consumable: String
    var nonConsumable: String
    var nonRenewing: String
    var autoRenewable: String
    var identifier: String
    var identifierHint: String
    var group: String
    var groupHint: String
    var newGroup: String
    var newGroupName: String
    var period: String
    /// `{group}` and `{period}`.
    var planIs: String
    var level: String
    var levelHint: String
    var reference: String
    var referenceHint: String
    /// `{locale}`.
    var title: String
    /// `{locale}`.
    var description: String
    var newLocale: String
    var noLocale: String
    var newTitle: String
    var newDescription: String
    var price: String
    var noPrice: String
    /// `{number}` and `{price}`.
    var tierIs: String
    var otherPrices: String
    var otherPricesHint: String
    var fixedPrice: String
    var exclusions: String
    var exclusionsHint: String
    var family: String
    var familyHint: String
    var reviewNote: String
    var reviewNoteHint: String
    var cleared: String
    var yes: String
    var no: String
    var sold: String
    var notSold: String
    var sandboxNote: String
    var productionNote: String
    /// The state for production on a sandbox's page; `{state}`.
    var inProduction: String
    var submit: String
    var submitNote: String
    var submitted: String
    /// `{reason}` is the operator’s.
    var rejectedFor: String
    var missingMetadata: String
    var readyToSubmit: String
    var waitingForReview: String
    var inReview: String
    var rejected: String
    var removedFromSale: String
    /// `{values}` is a list.
    var missing: String
    var missingForProduction: String
    var missingPrice: String
    var missingTexts: String
    var missingScreenshot: String
    var images: String

    static let english = ProductWords(
        products: "In-App Purchases",
        search: "Name or product identifier",
        none: "The app has no product yet.",
        newOf: "Add: {kind}",
        register: "Add a product",
        registerNote: "The type and the product identifier stay as they are, and the identifier is never free again.",
        registered: "The product is registered.",
        edit: "Change the product",
        kind: "Type",
        allKinds: "All types",
        consumable: "Consumable",
        nonConsumable: "Non-consumable",
        nonRenewing: "Non-renewing subscription",
        autoRenewable: "Auto-renewable subscription",
        identifier: "Product identifier",
        identifierHint: "Letters, digits, hyphens, periods and underscores, such as com.example.fruit.apple.",
        group: "Group",
        groupHint: "A customer has one subscription of a group. The group stays as it is.",
        newGroup: "a new group",
        newGroupName: "Name of the new group",
        period: "Duration",
        planIs: "Group {group}, {period}",
        level: "Level",
        levelHint: "1 is the level that offers most.",
        reference: "Reference name",
        referenceHint: "Your own name, at most 64 characters. Customers don’t see it.",
        title: "Display name ({locale})",
        description: "Description ({locale})",
        newLocale: "Another language",
        noLocale: "none",
        newTitle: "Its display name",
        newDescription: "Its description",
        price: "Price",
        noPrice: "none yet",
        tierIs: "Tier {number}: {price}",
        otherPrices: "Prices of single countries",
        otherPricesHint: "One a line: DEU 1.19. Other countries have the tier’s price in their currency.",
        fixedPrice: "The price of a subscription is changed on the page Prices, because subscribers may have to agree.",
        exclusions: "Countries in which it isn’t sold",
        exclusionsHint: "Codes of three letters, such as DEU FRA. Empty: sold in every country.",
        family: "Family Sharing",
        familyHint: "It can’t be turned off again.",
        reviewNote: "Note for the review",
        reviewNoteHint: "Customers don’t see it.",
        cleared: "Cleared for sale",
        yes: "Yes",
        no: "No",
        sold: "on sale",
        notSold: "not on sale",
        sandboxNote: "The sandbox sells a product as soon as it is complete. It has no review.",
        productionNote: "Production sells a product that was approved, is complete and cleared for sale.",
        inProduction: "In production: {state}",
        submit: "Submit to the review",
        submitNote: "The operator of the store looks at the product before production sells it.",
        submitted: "The product waits for the review.",
        rejectedFor: "Rejected: {reason}",
        missingMetadata: "missing metadata",
        readyToSubmit: "ready to submit",
        waitingForReview: "waiting for review",
        inReview: "in review",
        rejected: "rejected",
        removedFromSale: "removed from sale",
        missing: "Before it is sold, the product needs {values}.",
        missingForProduction: "Before production sells it, the product needs {values}.",
        missingPrice: "a price",
        missingTexts: "a display name and a description in one language",
        missingScreenshot: "a screenshot for the review",
        images: "Images and promotion")

    static let german = ProductWords(
        products: "In-App-Käufe",
        search: "Name oder Produkt-ID",
        none: "Die App hat noch kein Produkt.",
        newOf: "Hinzufügen: {kind}",
        register: "Produkt hinzufügen",
        registerNote: "Art und Produkt-ID bleiben, wie sie sind, und die Produkt-ID wird nie wieder frei.",
        registered: "Das Produkt ist registriert.",
        edit: "Produkt ändern",
        kind: "Art",
        allKinds: "Alle Arten",
        consumable: "Verbrauchbar",
        nonConsumable: "Nicht verbrauchbar",
        nonRenewing: "Abonnement ohne Verlängerung",
        autoRenewable: "Abonnement mit Verlängerung",
        identifier: "Produkt-ID",
        identifierHint: "Buchstaben, Ziffern, Bindestriche, Punkte und Unterstriche, etwa com.example.fruit.apple.",
        group: "Gruppe",
        groupHint: "Ein Kunde hat ein Abonnement einer Gruppe. Die Gruppe bleibt, wie sie ist.",
        newGroup: "eine neue Gruppe",
        newGroupName: "Name der neuen Gruppe",
        period: "Dauer",
        planIs: "Gruppe {group}, {period}",
        level: "Stufe",
        levelHint: "Stufe 1 bietet am meisten.",
        reference: "Referenzname",
        referenceHint: "Ihr eigener Name mit höchstens 64 Zeichen. Kunden sehen ihn nicht.",
        title: "Anzeigename ({locale})",
        description: "Beschreibung ({locale})",
        newLocale: "Weitere Sprache",
        noLocale: "keine",
        newTitle: "Deren Anzeigename",
        newDescription: "Deren Beschreibung",
        price: "Preis",
        noPrice: "noch keiner",
        tierIs: "Stufe {number}: {price}",
        otherPrices: "Preise einzelner Länder",
        otherPricesHint: "Je einer in einer Zeile: DEU 1.19. Andere Länder haben den Preis der Stufe in ihrer Währung.",
        fixedPrice: "Den Preis eines Abonnements ändert die Seite Preise, weil Abonnenten vielleicht zustimmen müssen.",
        exclusions: "Länder, in denen es nicht verkauft wird",
        exclusionsHint: "Codes aus drei Buchstaben, etwa DEU FRA. Leer: überall.",
        family: "Familienfreigabe",
        familyHint: "Sie lässt sich nicht wieder abschalten.",
        reviewNote: "Hinweis für die Prüfung",
        reviewNoteHint: "Kunden sehen ihn nicht.",
        cleared: "Zum Verkauf freigegeben",
        yes: "Ja",
        no: "Nein",
        sold: "wird verkauft",
        notSold: "wird nicht verkauft",
        sandboxNote: "Die Sandbox verkauft ein Produkt, sobald es vollständig ist. Sie hat keine Prüfung.",
        productionNote: "Die Produktion verkauft ein Produkt, das genehmigt, vollständig und freigegeben ist.",
        inProduction: "In der Produktion: {state}",
        submit: "Zur Prüfung einreichen",
        submitNote: "Der Betreiber des Stores sieht das Produkt an, bevor die Produktion es verkauft.",
        submitted: "Das Produkt wartet auf die Prüfung.",
        rejectedFor: "Abgelehnt: {reason}",
        missingMetadata: "unvollständig",
        readyToSubmit: "bereit zum Einreichen",
        waitingForReview: "wartet auf die Prüfung",
        inReview: "in Prüfung",
        rejected: "abgelehnt",
        removedFromSale: "aus dem Verkauf genommen",
        missing: "Bevor das Produkt verkauft wird, braucht es {values}.",
        missingForProduction: "Bevor die Produktion das Produkt verkauft, braucht es {values}.",
        missingPrice: "einen Preis",
        missingTexts: "einen Anzeigenamen und eine Beschreibung in einer Sprache",
        missingScreenshot: "ein Bildschirmfoto für die Prüfung",
        images: "Bilder und Werbung")

    static let french = ProductWords(
        products: "Achats intégrés",
        search: "Nom ou identifiant de produit",
        none: "L’app n’a pas encore de produit.",
        newOf: "Ajouter : {kind}",
        register: "Ajouter un produit",
        registerNote: "Le type et l’identifiant ne changent plus, et l’identifiant ne redevient jamais libre.",
        registered: "Le produit est enregistré.",
        edit: "Modifier le produit",
        kind: "Type",
        allKinds: "Tous les types",
        consumable: "Consommable",
        nonConsumable: "Non consommable",
        nonRenewing: "Abonnement sans renouvellement",
        autoRenewable: "Abonnement à renouvellement automatique",
        identifier: "Identifiant de produit",
        identifierHint: "Lettres, chiffres, traits d’union, points et tirets bas, comme com.example.fruit.apple.",
        group: "Groupe",
        groupHint: "Un client a un abonnement par groupe. Le groupe ne change plus.",
        newGroup: "un nouveau groupe",
        newGroupName: "Nom du nouveau groupe",
        period: "Durée",
        planIs: "Groupe {group}, {period}",
        level: "Niveau",
        levelHint: "Le niveau 1 offre le plus.",
        reference: "Nom de référence",
        referenceHint: "Votre propre nom, 64 caractères au plus. Les clients ne le voient pas.",
        title: "Nom affiché ({locale})",
        description: "Texte de description ({locale})",
        newLocale: "Autre langue",
        noLocale: "aucune",
        newTitle: "Son nom affiché",
        newDescription: "Sa description",
        price: "Prix",
        noPrice: "pas encore",
        tierIs: "Palier {number} : {price}",
        otherPrices: "Prix de certains pays",
        otherPricesHint: "Un par ligne : DEU 1.19. Les autres pays ont le prix du palier dans leur monnaie.",
        fixedPrice: "Le prix d’un abonnement se change sur la page Tarifs, car les abonnés doivent parfois l’accepter.",
        exclusions: "Pays où il n’est pas vendu",
        exclusionsHint: "Codes de trois lettres, comme DEU FRA. Vide : vendu partout.",
        family: "Partage familial",
        familyHint: "Il ne peut plus être désactivé.",
        reviewNote: "Note pour l’examen",
        reviewNoteHint: "Les clients ne la voient pas.",
        cleared: "Mis en vente",
        yes: "Oui",
        no: "Non",
        sold: "en vente",
        notSold: "pas en vente",
        sandboxNote: "Le sandbox vend un produit dès qu’il est complet. Il n’a pas d’examen.",
        productionNote: "La production vend un produit approuvé, complet et mis en vente.",
        inProduction: "En production : {state}",
        submit: "Soumettre à l’examen",
        submitNote: "L’exploitant de la boutique regarde le produit avant que la production le vende.",
        submitted: "Le produit attend l’examen.",
        rejectedFor: "Refusé : {reason}",
        missingMetadata: "incomplet",
        readyToSubmit: "prêt à soumettre",
        waitingForReview: "en attente d’examen",
        inReview: "en cours d’examen",
        rejected: "refusé",
        removedFromSale: "retiré de la vente",
        missing: "Avant d’être vendu, le produit a besoin de ceci : {values}.",
        missingForProduction: "Avant d’être vendu en production, le produit a besoin de ceci : {values}.",
        missingPrice: "un prix",
        missingTexts: "un nom affiché et une description dans une langue",
        missingScreenshot: "une capture d’écran pour l’examen",
        images: "Images et promotion")
}
