// SPDX-License-Identifier: Apache-2.0

extension PurchaseWords {
    static let french = PurchaseWords(
        none: "Ce compte n’a pas d’achats.",
        older: "Achats plus anciens",
        newest: "Achats les plus récents",
        receipt: "Reçu",
        titleReceipt: "Reçu d’un achat",
        order: "Numéro",
        date: "Date",
        app: "App",
        product: "Produit",
        quantity: "Quantité",
        period: "Période",
        periodUntil: "jusqu’au {end}",
        price: "Prix",
        free: "gratuit",
        refunded: "remboursé",
        refundedOn: "Remboursé le {date}.",
        partlyRefundedOn: "Une partie du prix a été remboursée le {date}.",
        store: "Boutique",
        print: "Pour conserver ce reçu, imprimez la page.",
        report: "Signaler un problème",
        titleProblem: "Signaler un problème",
        leadProblem: """
            Vous demandez un remboursement. L’équipe de la boutique lit votre demande et décide. Si elle l’accepte, \
            vous récupérez le prix et perdez le produit.
            """,
        reason: "Votre problème",
        unintended: "Je ne voulais pas acheter ceci",
        child: "Un enfant a acheté ceci sans autorisation",
        missing: "Je ne l’ai pas reçu",
        broken: "Cela ne fonctionne pas comme prévu",
        unsatisfied: "Je n’en suis pas satisfait",
        legal: "J’ai une raison juridique",
        other: "Autre chose",
        comment: "Décrivez-le (facultatif)",
        send: "Demander un remboursement",
        waits: "Vous avez demandé un remboursement. L’équipe de la boutique n’a pas encore décidé.",
        declined: "L’équipe de la boutique a refusé le remboursement.",
        approved: "Le remboursement a été accepté.",
        costNothing: "Cet achat n’a rien coûté ; rien ne peut donc être remboursé.",
        back: "Retour au reçu")
}
