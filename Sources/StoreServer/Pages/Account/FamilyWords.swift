// SPDX-License-Identifier: Apache-2.0

/// The texts of the family's page.
struct FamilyWords: PageWords {
    var declined: String
    var approved: String
    var underWay: String
    /// A request whose product can't be bought any more; the reason may follow.
    var refused: String
    var refusedNow: String
    var noFamily: String
    var noRequests: String
    var onlyParents: String
    var show: String
    var members: String
    var password: String
    var approve: String
    var approveFor: String
    var decline: String
    var free: String
    var pay: String
    /// The terms of a subscription follow, as `{child}` reads them.
    var subscription: String
    var waits: String
    var asked: String
    var until: String
    var organiser: String
    var parent: String
    var adult: String
    var child: String
    var begin: String
    var beginNote: String
    var begun: String
    var add: String
    var addNote: String
    var added: String
    var member: String
    var memberPassword: String
    var role: String

    static let english = FamilyWords(
        declined: "You have declined the request. Nothing was charged.",
        approved: "You have approved the request, and the purchase is made.",
        underWay: "You have approved the request. The payment is under way: don't approve it again.",
        refused: "It can't be bought any more.",
        refusedNow: "It can't be bought any more, and nothing was charged.",
        noFamily: "This account is in no family.",
        noRequests: "No request waits for your answer.",
        onlyParents: "The organiser and the parents of the family answer its requests to buy.",
        show: "Show requests",
        members: "Members",
        password: "Your password",
        approve: "Approve",
        approveFor: "Approve and pay {price}",
        decline: "Decline",
        free: "Free of charge.",
        pay: "You pay {price}.",
        subscription: "You pay for the subscription. Its terms, as {child} reads them:",
        waits: "Another payment for this is under way: wait a moment.",
        asked: "Asked on {date}.",
        until: "It waits until {date}.",
        organiser: "organiser",
        parent: "parent",
        adult: "adult",
        child: "child",
        begin: "Begin a family",
        beginNote: "You and the parents whom you add pay for the purchases of the children that you approve.",
        begun: "The family has begun. Add its members below.",
        add: "Add a member",
        addNote: "The new member types the password of the own account here. A child asks before each purchase.",
        added: "The new member is in the family.",
        member: "Account of the new member",
        memberPassword: "Password of the new member",
        role: "Role")

    static let german = FamilyWords(
        declined: "Sie haben die Anfrage abgelehnt. Es wurde nichts berechnet.",
        approved: "Sie haben der Anfrage zugestimmt, und der Kauf ist abgeschlossen.",
        underWay: "Sie haben der Anfrage zugestimmt. Die Zahlung läuft: Stimmen Sie nicht noch einmal zu.",
        refused: "Dies kann nicht mehr gekauft werden.",
        refusedNow: "Dies kann nicht mehr gekauft werden, und es wurde nichts berechnet.",
        noFamily: "Dieser Account gehört zu keiner Familie.",
        noRequests: "Keine Anfrage wartet auf Ihre Antwort.",
        onlyParents: "Die Kaufanfragen der Familie beantworten die Person, die sie begonnen hat, und die Eltern.",
        show: "Anfragen zeigen",
        members: "Mitglieder",
        password: "Ihr Passwort",
        approve: "Zustimmen",
        approveFor: "Zustimmen und {price} bezahlen",
        decline: "Ablehnen",
        free: "Kostenlos.",
        pay: "Sie bezahlen {price}.",
        subscription: "Sie bezahlen das Abonnement. Die Bedingungen, wie {child} sie liest:",
        waits: "Eine andere Zahlung dafür ist noch nicht abgeschlossen: Warten Sie einen Moment.",
        asked: "Gefragt am {date}.",
        until: "Die Anfrage gilt bis zum {date}.",
        organiser: "hat die Familie begonnen",
        parent: "Elternteil",
        adult: "erwachsen",
        child: "Kind",
        begin: "Familie beginnen",
        beginNote: "Sie und die Eltern, die Sie hinzufügen, bezahlen die Käufe der Kinder, denen Sie zustimmen.",
        begun: "Die Familie ist begonnen. Fügen Sie unten ihre Mitglieder hinzu.",
        add: "Mitglied hinzufügen",
        addNote: "Das neue Mitglied gibt hier das Passwort seines Accounts ein. Ein Kind fragt vor jedem Kauf.",
        added: "Das neue Mitglied gehört jetzt zur Familie.",
        member: "Account des neuen Mitglieds",
        memberPassword: "Passwort des neuen Mitglieds",
        role: "Rolle")

    static let french = FamilyWords(
        declined: "Vous avez refusé la demande. Rien n’a été débité.",
        approved: "Vous avez accepté la demande, et l’achat est effectué.",
        underWay: "Vous avez accepté la demande. Le paiement est en cours : ne l’acceptez pas une seconde fois.",
        refused: "Ceci ne peut plus être acheté.",
        refusedNow: "Ceci ne peut plus être acheté, et rien n’a été débité.",
        noFamily: "Ce compte ne fait partie d’aucune famille.",
        noRequests: "Aucune demande n’attend votre réponse.",
        onlyParents: "L’organisateur et les parents de la famille répondent à ses demandes d’achat.",
        show: "Afficher les demandes",
        members: "Membres",
        password: "Votre mot de passe",
        approve: "Accepter",
        approveFor: "Accepter et payer {price}",
        decline: "Refuser",
        free: "Gratuit.",
        pay: "Vous payez {price}.",
        subscription: "Vous payez l’abonnement. Ses conditions, telles que {child} les lit :",
        waits: "Un autre paiement est en cours pour ceci : patientez un instant.",
        asked: "Demandé le {date}.",
        until: "La demande est valable jusqu’au {date}.",
        organiser: "organisateur",
        parent: "parent",
        adult: "adulte",
        child: "enfant",
        begin: "Créer une famille",
        beginNote: "Vous et les parents que vous ajoutez payez les achats des enfants que vous approuvez.",
        begun: "La famille est créée. Ajoutez ses membres ci-dessous.",
        add: "Ajouter un membre",
        addNote: "Le nouveau membre saisit ici le mot de passe de son compte. Un enfant demande avant chaque achat.",
        added: "Le nouveau membre fait partie de la famille.",
        member: "Compte du nouveau membre",
        memberPassword: "Mot de passe du nouveau membre",
        role: "Rôle")
}
