// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let italian = TermsWords(
        separator: " ",
        moment: "{day}, ore {time} (UTC)",
        day: Unit(
            one: "{count} giorno", other: "{count} giorni", rate: "{price} al giorno",
            rates: "{price} ogni {count} giorni"),
        week: Unit(
            one: "{count} settimana", other: "{count} settimane", rate: "{price} alla settimana",
            rates: "{price} ogni {count} settimane"),
        month: Unit(
            one: "{count} mese", other: "{count} mesi", rate: "{price} al mese", rates: "{price} ogni {count} mesi"),
        year: Unit(
            one: "{count} anno", other: "{count} anni", rate: "{price} all’anno", rates: "{price} ogni {count} anni"),
        free: "Gratis per {length}",
        upFront: "{price} per {length}",
        eachPeriod: "{rate} per {length}",
        sequence: "{first}, poi {second}",
        offered: "{offer}, poi {rate} a partire da {date}, fino alla disdetta.",
        regular: "{rate}.",
        firstPeriod: "Il primo periodo va da {start}, a {end}.",
        replaces: "L’abbonamento inizia subito e sostituisce il Suo abbonamento attuale.",
        givenBack: "Riceverà un rimborso di {price}, la parte non utilizzata del prezzo del Suo abbonamento attuale.",
        begins: "L’abbonamento inizia {date}, al termine del periodo che ha già pagato.",
        nothingNow: "Ora non viene addebitato nulla.",
        offerBegins: "L’offerta inizia con il periodo successivo.",
        owned: "Lei ha già questo abbonamento.",
        ownedUntil: "Lei ha questo abbonamento fino a {date}.",
        staysOn: "Il rinnovo automatico resta attivo.",
        turnedOn: "Il rinnovo automatico viene riattivato.",
        renewal: """
            L’abbonamento si rinnova al termine di ogni periodo fino alla disdetta e viene addebitato al massimo \
            un giorno prima. Per disdirlo, disattivi il rinnovo nella pagina «{page}» prima della fine del \
            periodo; Lei conserva l’abbonamento per il resto del periodo.
            """,
        contact: """
            Comunicare il mio nome, il mio indirizzo e-mail e il mio codice postale al venditore di {app}. In \
            tal caso il primo periodo dura {length} in più, fino a {end}.
            """,
        priceRises: "Attualmente Lei paga {old}. Il prezzo diventa {new} dal periodo che inizia {date}.",
        endsUnlessAgreed: "Se Lei non accetta, l’abbonamento termina quel giorno e non viene più addebitato nulla.")
}
