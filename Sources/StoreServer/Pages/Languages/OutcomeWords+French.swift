// SPDX-License-Identifier: Apache-2.0

extension OutcomeWords {
    static let french = OutcomeWords(
        purchased: Outcome(
            title: "Acheté", message: "Vous pouvez fermer cette page et revenir à l’app."),
        cancelled: Outcome(
            title: "Annulé", message: "Rien n’a été débité. Vous pouvez fermer cette page et revenir à l’app."),
        signedIn: Outcome(
            title: "Connecté", message: "Vous pouvez fermer cette page ; l’app continue sans elle."),
        agreed: Outcome(
            title: "Accepté",
            message: """
                L’abonnement continue au nouveau prix. Vous pouvez fermer cette page et revenir à l’app.
                """),
        notNow: Outcome(
            title: "Pas maintenant",
            message: """
                Vous n’avez pas accepté le nouveau prix, et pouvez encore le faire. Vous pouvez fermer cette page et \
                revenir à l’app.
                """),
        nothingToAgree: Outcome(
            title: "Aucun nouveau prix",
            message: "Aucun nouveau prix n’attend votre accord. Vous pouvez fermer cette page."),
        asked: Outcome(
            title: "Demandé",
            message: """
                Une autre personne doit d’abord approuver ; l’app continue ensuite. Rien n’a encore été débité.
                """),
        interrupted: Outcome(
            title: "Interrompu",
            message: """
                Il y a d’abord quelque chose à faire dans la boutique ; l’achat continue ensuite. Rien n’a encore été \
                débité.
                """),
        subscribed: Outcome(
            title: "Déjà abonné",
            message: "Vous avez cet abonnement, et il continue tel quel. Rien n’a été débité ni modifié."),
        underWay: Outcome(
            title: "Paiement en cours",
            message: """
                Le paiement est enregistré et continue dès que la boutique peut le terminer. N’achetez pas ceci une \
                seconde fois : l’app reçoit l’achat, ou apprend que rien n’a été débité.
                """),
        pending: Outcome(
            title: "En attente de votre banque",
            message: """
                Votre banque n’a pas encore confirmé le paiement. Vous pouvez aussi fermer cette page : l’app reçoit \
                l’achat, ou apprend que rien n’a été débité.
                """),
        atBank: Outcome(
            title: "Confirmez auprès de votre banque",
            message: """
                Votre banque vous demande de confirmer ce paiement. Sa page s’ouvre dans une nouvelle fenêtre. Rien \
                n’a encore été débité.
                """),
        toBank: "Aller à votre banque",
        waits: "Cette page affiche le résultat. N’achetez pas ceci une seconde fois entre-temps.",
        renews: "Votre abonnement se renouvelle le {date}",
        changes: "Votre abonnement change le {date}",
        nothingCharged: "Rien n’a été débité. Vous pouvez fermer cette page et revenir à l’app.")
}
