// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let english = TermsWords(
        separator: " ",
        moment: "{day}, {time} UTC",
        day: Unit(
            one: "{count} day", other: "{count} days", rate: "{price} per day", rates: "{price} per {count} days"),
        week: Unit(
            one: "{count} week", other: "{count} weeks", rate: "{price} per week", rates: "{price} per {count} weeks"),
        month: Unit(
            one: "{count} month", other: "{count} months", rate: "{price} per month",
            rates: "{price} per {count} months"),
        year: Unit(
            one: "{count} year", other: "{count} years", rate: "{price} per year", rates: "{price} per {count} years"),
        free: "{length} free",
        upFront: "{price} for {length}",
        eachPeriod: "{rate} for {length}",
        sequence: "{first}, then {second}",
        offered: "{offer}, then {rate} from {date} until you cancel.",
        regular: "{rate}.",
        firstPeriod: "The first period is from {start} to {end}.",
        replaces: "It begins now and replaces your current subscription.",
        givenBack: "You get back {price}, the unused part of its price.",
        begins: "It begins on {date}, when the period that you have paid ends.",
        nothingNow: "Nothing is charged now.",
        offerBegins: "The offer begins with the next period.",
        owned: "You have this subscription.",
        ownedUntil: "You have this subscription until {date}.",
        staysOn: "Its renewal stays on.",
        turnedOn: "Its renewal is turned on again.",
        renewal: """
            It renews at the end of each period until you cancel it, and is charged at most a day before. To \
            cancel, turn its renewal off on the page “{page}” before the period ends; you keep the rest of the \
            period.
            """,
        contact: """
            Share my name, e-mail address and postcode with the seller of {app}. The first period is then \
            {length} longer, until {end}.
            """,
        priceRises: "You pay {old}. The price becomes {new}, with the period that begins on {date}.",
        endsUnlessAgreed: "Unless you agree, the subscription ends on that day, and isn't charged again.")
}
