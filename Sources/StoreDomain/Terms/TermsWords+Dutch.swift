// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let dutch = TermsWords(
        separator: " ",
        moment: "{day} om {time} uur (UTC)",
        day: Unit(
            one: "{count} dag", other: "{count} dagen", rate: "{price} per dag", rates: "{price} per {count} dagen"),
        week: Unit(
            one: "{count} week", other: "{count} weken", rate: "{price} per week", rates: "{price} per {count} weken"),
        month: Unit(
            one: "{count} maand", other: "{count} maanden", rate: "{price} per maand",
            rates: "{price} per {count} maanden"),
        year: Unit(
            one: "{count} jaar", other: "{count} jaar", rate: "{price} per jaar", rates: "{price} per {count} jaar"),
        free: "{length} gratis",
        upFront: "{price} voor {length}",
        eachPeriod: "{rate} gedurende {length}",
        sequence: "{first}, daarna {second}",
        offered: "{offer}, daarna {rate} vanaf {date}, totdat u opzegt.",
        regular: "{rate}.",
        firstPeriod: "De eerste periode loopt van {start} tot {end}.",
        replaces: "Het abonnement begint nu en vervangt uw huidige abonnement.",
        givenBack: "U krijgt {price} terug, het ongebruikte deel van de prijs van uw huidige abonnement.",
        begins: "Het abonnement begint op {date}, wanneer de periode afloopt die u al hebt betaald.",
        nothingNow: "Er wordt nu niets in rekening gebracht.",
        offerBegins: "De aanbieding gaat in met de volgende periode.",
        owned: "U hebt dit abonnement al.",
        ownedUntil: "U hebt dit abonnement tot {date}.",
        staysOn: "De automatische verlenging blijft ingeschakeld.",
        turnedOn: "De automatische verlenging wordt weer ingeschakeld.",
        renewal: """
            Het abonnement wordt aan het einde van elke periode verlengd totdat u het opzegt; de prijs wordt \
            hooguit een dag eerder afgeschreven. Om op te zeggen schakelt u de verlenging op de pagina ‘{page}’ \
            uit voordat de periode afloopt; u behoudt het abonnement voor de rest van de periode.
            """,
        contact: """
            Mijn naam, e-mailadres en postcode delen met de verkoper van {app}. De eerste periode duurt dan \
            {length} langer, tot {end}.
            """,
        priceRises: "U betaalt nu {old}. De prijs wordt {new} vanaf de periode die begint op {date}.",
        endsUnlessAgreed: """
            Als u niet akkoord gaat, eindigt het abonnement op die dag en wordt er niets meer in rekening gebracht.
            """)
}
