// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let german = TermsWords(
        separator: " ",
        moment: "{day} um {time} Uhr (UTC)",
        day: Unit(
            one: "{count} Tag", other: "{count} Tage", rate: "{price} pro Tag", rates: "{price} alle {count} Tage"),
        week: Unit(
            one: "{count} Woche", other: "{count} Wochen", rate: "{price} pro Woche",
            rates: "{price} alle {count} Wochen"),
        month: Unit(
            one: "{count} Monat", other: "{count} Monate", rate: "{price} pro Monat",
            rates: "{price} alle {count} Monate"),
        year: Unit(
            one: "{count} Jahr", other: "{count} Jahre", rate: "{price} pro Jahr",
            rates: "{price} alle {count} Jahre"),
        free: "{length} kostenlos",
        upFront: "{price} für {length}",
        eachPeriod: "{rate} für {length}",
        sequence: "{first}, dann {second}",
        offered: "{offer}, dann {rate} ab dem {date}, bis Sie kündigen.",
        regular: "{rate}.",
        firstPeriod: "Der erste Abrechnungszeitraum läuft vom {start} bis zum {end}.",
        replaces: "Das Abonnement beginnt sofort und ersetzt Ihr bisheriges Abonnement.",
        givenBack: "Sie erhalten {price} zurück, den nicht genutzten Teil des Preises Ihres bisherigen Abonnements.",
        begins: "Das Abonnement beginnt am {date}, wenn der bereits bezahlte Zeitraum endet.",
        nothingNow: "Jetzt wird nichts berechnet.",
        offerBegins: "Das Angebot gilt ab dem nächsten Abrechnungszeitraum.",
        owned: "Sie haben dieses Abonnement bereits.",
        ownedUntil: "Sie haben dieses Abonnement bis zum {date}.",
        staysOn: "Die automatische Verlängerung bleibt eingeschaltet.",
        turnedOn: "Die automatische Verlängerung wird wieder eingeschaltet.",
        renewal: """
            Das Abonnement verlängert sich am Ende jedes Abrechnungszeitraums, bis Sie es kündigen; der Preis \
            wird frühestens einen Tag vorher abgebucht. Um zu kündigen, schalten Sie die Verlängerung vor dem \
            Ende des Zeitraums auf der Seite „{page}“ aus; bis dahin können Sie das Abonnement weiter nutzen.
            """,
        contact: """
            Meinen Namen, meine E-Mail-Adresse und meine Postleitzahl an den Anbieter von {app} weitergeben. Der \
            erste Abrechnungszeitraum dauert dann {length} länger, bis zum {end}.
            """,
        priceRises: """
            Sie zahlen derzeit {old}. Ab dem Abrechnungszeitraum, der am {date} beginnt, beträgt der Preis {new}.
            """,
        endsUnlessAgreed: """
            Wenn Sie nicht zustimmen, endet das Abonnement an diesem Tag, und es wird nichts mehr abgebucht.
            """)
}
