// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let spanish = TermsWords(
        separator: " ",
        moment: "{day} a las {time} (UTC)",
        day: Unit(
            one: "{count} día", other: "{count} días", rate: "{price} al día", rates: "{price} cada {count} días"),
        week: Unit(
            one: "{count} semana", other: "{count} semanas", rate: "{price} a la semana",
            rates: "{price} cada {count} semanas"),
        month: Unit(
            one: "{count} mes", other: "{count} meses", rate: "{price} al mes", rates: "{price} cada {count} meses"),
        year: Unit(
            one: "{count} año", other: "{count} años", rate: "{price} al año", rates: "{price} cada {count} años"),
        free: "Gratis durante {length}",
        upFront: "{price} por {length}",
        eachPeriod: "{rate} durante {length}",
        sequence: "{first}; después, {second}",
        offered: "{offer}; después, {rate} a partir del {date}, hasta que usted cancele la suscripción.",
        regular: "{rate}.",
        firstPeriod: "El primer período va del {start} al {end}.",
        replaces: "La suscripción comienza ahora y sustituye a su suscripción actual.",
        givenBack: "Usted recibe un reembolso de {price}, la parte no utilizada del precio de su suscripción actual.",
        begins: "La suscripción comienza el {date}, cuando termina el período que usted ya ha pagado.",
        nothingNow: "Ahora no se cobra nada.",
        offerBegins: "La oferta se aplica a partir del próximo período.",
        owned: "Usted ya tiene esta suscripción.",
        ownedUntil: "Usted tiene esta suscripción hasta el {date}.",
        staysOn: "La renovación automática sigue activada.",
        turnedOn: "La renovación automática se activa de nuevo.",
        renewal: """
            La suscripción se renueva al final de cada período hasta que usted la cancele, y se cobra como \
            máximo un día antes. Para cancelarla, desactive la renovación en la página «{page}» antes de que \
            termine el período; usted conserva la suscripción durante el resto del período.
            """,
        contact: """
            Compartir mi nombre, mi dirección de correo electrónico y mi código postal con el vendedor de {app}. \
            En ese caso, el primer período dura {length} más, hasta el {end}.
            """,
        priceRises: """
            Usted paga actualmente {old}. El precio pasa a ser {new} a partir del período que comienza el {date}.
            """,
        endsUnlessAgreed: "Si usted no acepta, la suscripción termina ese día y no se vuelve a cobrar.")
}
