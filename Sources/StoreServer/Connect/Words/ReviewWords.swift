// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the pages of the operator's review.
struct ReviewWords: PageWords {
    var search: String
    var state: String
    var allStates: String
    var none: String
    var approvesAll: String
    /// `{team}` and `{date}`.
    var submittedBy: String
    var operatorTeam: String
    var app: String
    var team: String
    var submitted: String
    var note: String
    var noNote: String
    var noScreenshot: String
    var decide: String
    var decideNote: String
    var notInQueue: String
    var approve: String
    var begin: String
    var reject: String
    var reason: String
    var reasonHint: String
    var decided: String

    static let english = ReviewWords(
        search: "App, product or team",
        state: "State",
        allStates: "All states",
        none: "No product waits for the review. Sellers submit products on their pages.",
        approvesAll: "This store approves each submission without a review (--approve-products).",
        submittedBy: "Submitted by {team}, {date}",
        operatorTeam: "the operator’s team",
        app: "App",
        team: "Team",
        submitted: "Submitted",
        note: "The seller’s note",
        noNote: "The seller has written none.",
        noScreenshot: "There is none. Reject the product, and ask the seller for one.",
        decide: "Decide",
        decideNote: "A decision is about the values on this page. It is refused if the seller has changed them since.",
        notInQueue: "The product isn’t in the queue. Its seller submits it on the page of the product.",
        approve: "Approve",
        begin: "Begin the review",
        reject: "Reject",
        reason: "Reason",
        reasonHint: "The seller reads it on the page of the product: at most 1000 characters.",
        decided: "The decision was saved.")

    static let german = ReviewWords(
        search: "App, Produkt oder Team",
        state: "Zustand",
        allStates: "Alle Zustände",
        none: "Kein Produkt wartet auf die Prüfung. Anbieter reichen Produkte auf deren Seiten ein.",
        approvesAll: "Dieser Store genehmigt alles, was eingereicht wird, von selbst (--approve-products).",
        submittedBy: "Eingereicht von {team}, {date}",
        operatorTeam: "das Team des Betreibers",
        app: "App",
        team: "Team",
        submitted: "Eingereicht",
        note: "Hinweis des Anbieters",
        noNote: "Der Anbieter hat keinen geschrieben.",
        noScreenshot: "Es gibt keines. Lehnen Sie das Produkt ab, und bitten Sie den Anbieter um eines.",
        decide: "Entscheiden",
        decideNote: """
            Eine Entscheidung gilt den Werten dieser Seite. Sie wird abgelehnt, wenn der Anbieter sie seitdem geändert \
            hat.
            """,
        notInQueue: "Das Produkt wartet nicht auf die Prüfung. Sein Anbieter reicht es auf der Seite des Produkts ein.",
        approve: "Genehmigen",
        begin: "Prüfung beginnen",
        reject: "Ablehnen",
        reason: "Grund",
        reasonHint: "Der Anbieter liest ihn auf der Seite des Produkts: höchstens 1000 Zeichen.",
        decided: "Die Entscheidung ist gespeichert.")

    static let french = ReviewWords(
        search: "App, produit ou équipe",
        state: "État",
        allStates: "Tous les états",
        none: "Aucun produit n’attend l’examen. Les vendeurs soumettent des produits sur leurs pages.",
        approvesAll: "Cette boutique approuve elle-même tout ce qui est soumis (--approve-products).",
        submittedBy: "Soumis par {team}, {date}",
        operatorTeam: "l’équipe de l’exploitant",
        app: "App",
        team: "Équipe",
        submitted: "Soumis",
        note: "Remarque du vendeur",
        noNote: "Le vendeur n’en a pas écrit.",
        noScreenshot: "Il n’y en a pas. Refusez le produit, et demandez-en une au vendeur.",
        decide: "Décider",
        decideNote: """
            Une décision porte sur les valeurs de cette page. Elle est refusée si le vendeur les a modifiées depuis.
            """,
        notInQueue: "Le produit n’attend pas l’examen. Son vendeur le soumet sur la page du produit.",
        approve: "Approuver",
        begin: "Commencer l’examen",
        reject: "Refuser",
        reason: "Motif",
        reasonHint: "Le vendeur le lit sur la page du produit : 1000 caractères au plus.",
        decided: "La décision est enregistrée.")
}
