// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of agreements.
struct AgreementWords: PageWords {
    var ofOperator: String
    var note: String
    var inForce: String
    /// `{values}` is a list.
    var missing: String
    var missingAcceptance: String
    var missingBank: String
    var missingTax: String
    var sandboxNote: String
    var notSold: String
    var contract: String
    var noContract: String
    /// `{number}`.
    var versionIs: String
    /// `{date}`.
    var dueOn: String
    /// `{number}`, `{name}` and `{date}`.
    var acceptedBy: String
    var text: String
    var read: String
    var accept: String
    var holderAccepts: String
    var bank: String
    var noBank: String
    var holder: String
    var iban: String
    var ibanHint: String
    var bic: String
    var tax: String
    var noTax: String
    var legalName: String
    var address: String
    var country: String
    var countryHint: String
    var number: String
    var numberHint: String
    /// `{date}`.
    var reachesProduction: String
    /// `{date}`.
    var reachesSandbox: String

    static let english = AgreementWords(
        ofOperator: """
            Your team is the operator’s own: it needs no contract, and its products are sold without \
            one.
            """,
        note: """
            Production sells your products that cost money while the contract is accepted, and the bank \
            account and the tax form are filled in.
            """,
        inForce: "Everything is there: your products are sold.",
        missing: "Your products that cost money aren’t sold in production yet. Missing: {values}.",
        missingAcceptance: "the account holder’s acceptance",
        missingBank: "the bank account",
        missingTax: "the tax form",
        sandboxNote: "The sandbox sells products without a contract.",
        notSold: """
            Production doesn’t sell the product: your team’s contract, bank account or tax form is \
            missing.
            """,
        contract: "Contract",
        noContract: "The operator hasn’t published a contract yet.",
        versionIs: "Contract, version {number}",
        dueOn: "Needed from {date} on.",
        acceptedBy: "{name} accepted version {number} on {date}.",
        text: "Text",
        read: "Read the whole text",
        accept: "Accept the contract",
        holderAccepts: "The account holder accepts it.",
        bank: "Bank account",
        noBank: "No account is saved.",
        holder: "Account holder",
        iban: "IBAN",
        ibanHint: "The saved number isn’t shown. Type the whole number to change the account.",
        bic: "BIC",
        tax: "Tax form",
        noTax: "No form is saved.",
        legalName: "Legal name",
        address: "Address",
        country: "Country",
        countryHint: "A code of three letters, such as DEU.",
        number: "Tax number",
        numberHint: "The saved number isn’t shown. Type the whole number to change the form.",
        reachesProduction: "The last change reaches production on {date}.",
        reachesSandbox: "The last change reaches the sandbox on {date}.")

    static let german = AgreementWords(
        ofOperator: """
            Ihr Team ist das des Betreibers: Es braucht keinen Vertrag, und seine Produkte werden ohne \
            einen verkauft.
            """,
        note: """
            Die Produktion verkauft Ihre kostenpflichtigen Produkte, solange der Vertrag angenommen ist \
            und Bankkonto und Steuerformular ausgefüllt sind.
            """,
        inForce: "Alles ist da: Ihre Produkte werden verkauft.",
        missing: """
            Ihre kostenpflichtigen Produkte werden in der Produktion noch nicht verkauft. Es fehlt: \
            {values}.
            """,
        missingAcceptance: "die Annahme durch den Account-Inhaber",
        missingBank: "das Bankkonto",
        missingTax: "das Steuerformular",
        sandboxNote: "Die Sandbox verkauft Produkte ohne Vertrag.",
        notSold: """
            Die Produktion verkauft das Produkt nicht: Vertrag, Bankkonto oder Steuerformular Ihres \
            Teams fehlen.
            """,
        contract: "Vertrag",
        noContract: "Der Betreiber hat noch keinen Vertrag veröffentlicht.",
        versionIs: "Vertrag, Version {number}",
        dueOn: "Nötig ab {date}.",
        acceptedBy: "{name} hat Version {number} am {date} angenommen.",
        text: "Text",
        read: "Den ganzen Text lesen",
        accept: "Vertrag annehmen",
        holderAccepts: "Der Account-Inhaber nimmt ihn an.",
        bank: "Bankkonto",
        noBank: "Es ist kein Konto gespeichert.",
        holder: "Kontoinhaber",
        iban: "IBAN",
        ibanHint: """
            Die gespeicherte Nummer wird nicht gezeigt. Geben Sie die ganze Nummer ein, um das Konto zu \
            ändern.
            """,
        bic: "BIC",
        tax: "Steuerformular",
        noTax: "Es ist kein Formular gespeichert.",
        legalName: "Rechtlicher Name",
        address: "Anschrift",
        country: "Land",
        countryHint: "Ein Code aus drei Buchstaben, etwa DEU.",
        number: "Steuernummer",
        numberHint: """
            Die gespeicherte Nummer wird nicht gezeigt. Geben Sie die ganze Nummer ein, um das Formular \
            zu ändern.
            """,
        reachesProduction: "Die letzte Änderung erreicht die Produktion am {date}.",
        reachesSandbox: "Die letzte Änderung erreicht die Sandbox am {date}.")

    static let french = AgreementWords(
        ofOperator: """
            Votre équipe est celle de l’exploitant : elle n’a pas besoin de contrat, et ses produits \
            sont vendus sans contrat.
            """,
        note: """
            La production vend vos produits payants tant que le contrat est accepté et que le compte \
            bancaire et le formulaire fiscal sont remplis.
            """,
        inForce: "Tout y est : vos produits sont vendus.",
        missing: "Vos produits payants ne sont pas encore vendus en production. Il manque : {values}.",
        missingAcceptance: "l’acceptation du titulaire du compte",
        missingBank: "le compte bancaire",
        missingTax: "le formulaire fiscal",
        sandboxNote: "Le sandbox vend les produits sans contrat.",
        notSold: """
            La production ne vend pas le produit : le contrat, le compte bancaire ou le formulaire \
            fiscal de votre équipe manque.
            """,
        contract: "Contrat",
        noContract: "L’exploitant n’a pas encore publié de contrat.",
        versionIs: "Contrat, version {number}",
        dueOn: "Nécessaire à partir du {date}.",
        acceptedBy: "{name} a accepté la version {number} le {date}.",
        text: "Texte du contrat",
        read: "Lire le texte entier",
        accept: "Accepter le contrat",
        holderAccepts: "Le titulaire du compte l’accepte.",
        bank: "Compte bancaire",
        noBank: "Aucun compte n’est enregistré.",
        holder: "Titulaire",
        iban: "Numéro IBAN",
        ibanHint: """
            Le numéro enregistré n’est pas montré. Saisissez le numéro entier pour changer de compte.
            """,
        bic: "Code BIC",
        tax: "Formulaire fiscal",
        noTax: "Aucun formulaire n’est enregistré.",
        legalName: "Nom légal",
        address: "Adresse",
        country: "Pays",
        countryHint: "Un code de trois lettres, comme DEU.",
        number: "Numéro fiscal",
        numberHint: """
            Le numéro enregistré n’est pas montré. Saisissez le numéro entier pour modifier le \
            formulaire.
            """,
        reachesProduction: "La dernière modification atteint la production le {date}.",
        reachesSandbox: "La dernière modification atteint le sandbox le {date}.")

    /// The missing values of a team.
    func list(_ missing: [TeamAgreements.Missing]) -> String {
        missing.map { value in
            switch value {
            case .acceptance: missingAcceptance
            case .bank: missingBank
            case .tax: missingTax
            }
        }.joined(separator: ", ")
    }
}
