// SPDX-License-Identifier: Apache-2.0

extension SheetWords {
    static let french = SheetWords(
        titlePayment: "Confirmer l’achat",
        titleSignIn: "Se connecter",
        titleRedeem: "Utiliser un code",
        titleConsent: "Accepter un nouveau prix",
        partProduct: "Ce que vous achetez",
        partTerms: "Conditions de l’abonnement",
        partSubscription: "L’abonnement dont le prix augmente",
        partCode: "Le produit du code",
        partPrice: "Le nouveau prix",
        partDetails: "Détails du paiement",
        leadSignIn: "{app} demande vos achats. Connectez-vous à la boutique pour continuer.",
        leadRedeem: """
            Saisissez un code pour {app}, et connectez-vous pour voir son produit et ses conditions.
            """,
        freeOfCharge: "Gratuit",
        owned: "Vous avez déjà acheté ce produit. Vous l’obtenez de nouveau gratuitement.",
        asksToBuy: "Une autre personne doit approuver cet achat. Rien n’est débité avant.",
        paymentMethod: "Mode de paiement",
        sandboxPayment: "Sandbox : aucun montant n’est débité",
        preferredMethod: "Celui que le compte préfère",
        noMethod: "Aucun : rien ne peut être débité",
        addMethod: "Ajouter un moyen de paiement",
        chooseMethod: "Choisir le moyen de paiement",
        taxIncluded: "dont {tax} de taxe ({rate})",
        taxAdded: "hors taxe ({rate}), que ce paiement ne débite pas",
        code: "Code",
        name: "Nom",
        contactEmail: "Adresse e-mail",
        contactExample: "Celle du compte",
        postcode: "Code postal",
        manageSubscriptions: "Gérer les abonnements",
        buy: "Acheter",
        getAgain: "Obtenir de nouveau",
        ask: "Demander l’autorisation",
        redeem: "Utiliser",
        otherCode: "Utiliser un autre code",
        goOn: "Continuer",
        agree: "Accepter",
        notNow: "Pas maintenant",
        sending: "Connexion à la boutique …",
        networkFailed: """
            La boutique est injoignable. Vérifiez la connexion, et appuyez de nouveau sur le bouton : la demande n’est \
            exécutée qu’une fois.
            """)
}
