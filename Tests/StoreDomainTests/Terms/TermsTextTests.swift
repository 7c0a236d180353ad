// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreDomain

/// The terms of a subscription in the customer's language.
struct TermsTextTests {
    private static let start = StoreTime(iso8601: "2026-01-10T20:00:00Z") ?? StoreTime(milliseconds: 0)

    /// A period of a product that is bought at the start.
    private static func period(_ product: Product, _ plan: Product.Plan, _ offer: AppliedOffer?) -> SubscribedPeriod {
        NewPeriod(
            transaction: "1", product: product.productIdentifier, plan: plan, webOrder: "1",
            price: Money(milliunits: 4990, currency: "USD"), storefront: "USA", speed: .realTime, offer: offer
        ).bought(at: start, in: nil)
    }

    /// The terms of a monthly subscription for 4.99; `owned` makes it the
    /// account's, or a product of a higher level.
    private func terms(
        _ offer: Product.Offer? = nil, in country: String = "USA", owning owned: ProductIdentifier? = nil,
        renews: Bool = true, days: Int64 = 0, raisedTo raised: Int64? = nil
    ) throws -> SubscriptionTerms {
        let storefront = try #require(Storefront.named(country))
        var product = Product(
            bundleIdentifier: "com.example.shop", productIdentifier: "gold", kind: .autoRenewable,
            referenceName: "Gold", milliunits: raised ?? 4990, localizations: [])
        let plan = Product.Plan(group: "metals", level: 2, period: SubscriptionPeriod(1, .month))
        var state: SubscriptionState?
        if let owned {
            var other = product
            other.productIdentifier = owned
            let level = ["platinum": 1, "silver": 3][owned.rawValue] ?? 2
            let period = Self.period(other, Product.Plan(group: "metals", level: level, period: plan.period), nil)
            let events = [SubscriptionEvent(.subscribed, at: Self.start, period: period)]
            let off = [SubscriptionEvent(.renewalTurnedOff, at: Self.start)]
            let told = raised.map {
                SubscriptionEvent(.priceIncreaseTold, at: Self.start, priceIncrease: Self.rise($0))
            }
            state = SubscriptionState(after: events + [told].compactMap(\.self) + (renews ? [] : off))
        }
        product.plan = plan
        let moment = StoreTime(milliseconds: Self.start.milliseconds + days * 86_400_000)
        var terms = SubscriptionTerms(product, plan, state, in: storefront, speed: .realTime, at: moment)
        terms.offer = offer.map { AppliedOffer($0, for: product, in: storefront) }
        return terms
    }

    /// A higher price from 40 days after the start on.
    private static func rise(_ milliunits: Int64) -> PriceIncrease {
        PriceIncrease(
            change: nil, price: Money(milliunits: milliunits, currency: "USD"), storefront: "USA", needsConsent: true,
            applies: StoreTime(milliseconds: start.milliseconds + 40 * 86_400_000))
    }

    private static let trial = Product.Offer(.introductory, mode: .free, period: SubscriptionPeriod(7, .day))
    private static let cheap = Product.Offer(
        .introductory, mode: .payAsYouGo, period: SubscriptionPeriod(1, .month), periods: 3, milliunits: 990)
    private static let upFront = Product.Offer(
        .introductory, mode: .payUpFront, period: SubscriptionPeriod(6, .month), milliunits: 19_990)

    private func first(_ terms: SubscriptionTerms, _ language: TermsLanguage) throws -> String {
        try #require(TermsText(language).paragraphs(terms).first)
    }

    @Test(
        "A trial says the price that follows, and from when",
        arguments: [
            (
                TermsLanguage.english, "USA",
                """
                7 days free, then $4.99 per month from 17 January 2026, 20:00 UTC until you cancel. The first \
                period is from 10 January 2026, 20:00 UTC to 17 January 2026, 20:00 UTC.
                """
            ),
            (
                .german, "DEU",
                """
                7 Tage kostenlos, dann 4,99 € pro Monat ab dem 17. Januar 2026 um 20:00 Uhr (UTC), bis Sie kündigen. \
                Der erste Abrechnungszeitraum läuft vom 10. Januar 2026 um 20:00 Uhr (UTC) bis zum \
                17. Januar 2026 um 20:00 Uhr (UTC).
                """
            ),
            (
                .japanese, "JPN",
                """
                7日間無料、その後は2026年1月17日 20:00（UTC）から、解約されるまで月額¥5です。\
                最初の期間は2026年1月10日 20:00（UTC）から2026年1月17日 20:00（UTC）までです。
                """
            ),
        ])
    func trial(language: TermsLanguage, country: String, expected: String) throws {
        #expect(try first(terms(Self.trial, in: country), language) == expected)
    }

    @Test(
        "Three cheap months end three months later, in the local time of the calendar",
        arguments: [
            (
                TermsLanguage.english,
                "$0.99 per month for 3 months, then $4.99 per month from 10 April 2026, 19:00 UTC until you"
            ),
            (
                .german,
                "0,99 $ pro Monat für 3 Monate, dann 4,99 $ pro Monat ab dem 10. April 2026 um 19:00 Uhr (UTC),"
            ),
            (.french, "0,99 $US par mois pendant 3 mois, puis 4,99 $US par mois à partir du 10 avril 2026 à 19:00"),
            (.italian, "a partire da venerdì 10 aprile 2026, ore 19:00 (UTC), fino alla disdetta."),
            (.japanese, "3か月間は月額$0.99、その後は2026年4月10日 19:00（UTC）から、"),
        ])
    func payAsYouGo(language: TermsLanguage, expected: String) throws {
        let text = try first(terms(Self.cheap), language)
        #expect(text.contains(expected), "\(text)")
    }

    @Test("Half a year is paid up front")
    func payUpFront() throws {
        let terms = try terms(Self.upFront, in: "DEU")
        #expect(
            try first(terms, .german).hasPrefix("19,99 € für 6 Monate, dann 4,99 € pro Monat ab dem 10. Juli 2026"))
        #expect(try first(terms, .dutch).hasPrefix("€ 19,99 voor 6 maanden, daarna € 4,99 per maand vanaf 10 juli"))
    }

    @Test("An upgrade says how much is given back")
    func upgrade() throws {
        var terms = try terms(owning: "silver", days: 10)
        terms.givenBack = Money(milliunits: 3320, currency: "USD")
        #expect(terms.change == .upgrade)
        let german = TermsText(.german).paragraphs(terms)
        #expect(german.count == 3)
        #expect(
            german[1].hasSuffix(
                "Abonnement. Sie erhalten 3,32 $ zurück, den nicht genutzten Teil des Preises "
                    + "Ihres bisherigen Abonnements."))
        let japanese = TermsText(.japanese).paragraphs(terms)[1]
        #expect(japanese.hasSuffix("に代わります。現在のサブスクリプションの未使用分として$3.32が返金されます。"))
    }

    @Test("A plan that begins later says when, and its offer begins then")
    func choose() throws {
        let terms = try terms(Self.cheap, owning: "platinum", days: 10)
        #expect(terms.change == .choose)
        let english = try first(terms, .english)
        #expect(
            english == """
                $0.99 per month for 3 months, then $4.99 per month from 10 May 2026, 19:00 UTC until you cancel. \
                It begins on 10 February 2026, 20:00 UTC, when the period that you have paid ends. Nothing is \
                charged now. The offer begins with the next period.
                """)
        #expect(try first(terms, .german).hasSuffix("Das Angebot gilt ab dem nächsten Abrechnungszeitraum."))
    }

    @Test("The current plan says whether its renewal is turned on again", arguments: [true, false])
    func keep(renews: Bool) throws {
        let terms = try terms(owning: "gold", renews: renews, days: 10)
        #expect(terms.change == .keep)
        let german = TermsText(.german).paragraphs(terms)
        #expect(
            german.prefix(2) == [
                """
                4,99 $ pro Monat. Sie haben dieses Abonnement bis zum 10. Februar 2026 um 20:00 Uhr (UTC). Jetzt \
                wird nichts berechnet.
                """,
                "Die automatische Verlängerung \(renews ? "bleibt eingeschaltet" : "wird wieder eingeschaltet").",
            ])
    }

    @Test(
        "The current plan with a higher price that waits says both prices, and from when the higher one is paid",
        arguments: [
            (
                TermsLanguage.english,
                """
                You pay $4.99 per month. The price becomes $5.99 per month, with the period that begins on \
                10 March 2026, 19:00 UTC. You have this subscription until 10 February 2026, 20:00 UTC. Nothing is \
                charged now.
                """
            ),
            (
                .german,
                """
                Sie zahlen derzeit 4,99 $ pro Monat. Ab dem Abrechnungszeitraum, der am 10. März 2026 um 19:00 Uhr (UTC) \
                beginnt, beträgt der Preis 5,99 $ pro Monat. Sie haben dieses Abonnement bis zum 10. Februar 2026 um \
                20:00 Uhr (UTC). Jetzt wird nichts berechnet.
                """
            ),
        ])
    func waitingIncrease(language: TermsLanguage, expected: String) throws {
        let terms = try terms(owning: "gold", days: 10, raisedTo: 5990)
        #expect(terms.change == .keep && terms.heading == Money(milliunits: 5990, currency: "USD"))
        #expect(try first(terms, language) == expected)
        // After an offer that lasts until then, the higher price follows it.
        let offered = try self.terms(Self.upFront, owning: "gold", days: 10, raisedTo: 5990)
        #expect(try first(offered, .english).hasPrefix("$19.99 for 6 months, then $5.99 per month from 10 August 2026"))
    }

    @Test(
        "A language that the store doesn't have is skipped, and English is the last",
        arguments: [
            (["fr_CH", "de"], "CHE", TermsLanguage.french), ([], "CHE", .german), (["da", "it_CH"], "CHE", .italian),
            (["pl", "ru"], "CHE", .german), (["da"], "JPN", .japanese), (["da"], "DNK", .english),
            (["PT-br"], "USA", .portuguese), (["zh_CN"], "USA", .simplifiedChinese),
            (["zh"], "USA", .simplifiedChinese),
            (["zh_Hans_HK"], "USA", .simplifiedChinese), (["zh_TW", "fr"], "USA", .french), ([], "HKG", .english),
        ])
    func order(languages: [String], country: String, expected: TermsLanguage) throws {
        let storefront = try #require(Storefront.named(country))
        #expect(TermsLanguage(LanguagePreference(languages, in: storefront)) == expected)
    }

    @Test(
        "A price has its currency's sign, and no digit is rounded away",
        arguments: [
            (TermsLanguage.english, 4990, "USD", "$4.99"), (.english, 1_234_500, "EUR", "€1,234.50"),
            (.german, 4990, "EUR", "4,99 €"), (.german, 5000, "EUR", "5,00 €"), (.dutch, 125, "EUR", "€ 0,125"),
            (.japanese, 500_000, "JPY", "¥500"), (.japanese, 4990, "JPY", "¥4.99"), (.korean, 0, "KRW", "₩0"),
        ])
    func prices(language: TermsLanguage, milliunits: Int64, currency: String, expected: String) {
        #expect(language.price(Money(milliunits: milliunits, currency: currency)) == expected)
    }

    @Test("The first of a month is an ordinal in French")
    func firstOfMonth() throws {
        let moment = try #require(StoreTime(iso8601: "2026-04-01T20:00:00Z"))
        #expect(TermsLanguage.french.date(moment) == "1er avril 2026 à 20:00 (UTC)")
        #expect(TermsLanguage.italian.date(moment) == "mercoledì 1 aprile 2026, ore 20:00 (UTC)")
    }

    @Test(
        "A price increase says both prices, the date, and the consequence of no consent",
        arguments: [
            (
                TermsLanguage.english,
                [
                    """
                    You pay $4.99 per month. The price becomes $5.99 per month, with the period that begins on \
                    10 March 2026, 19:00 UTC. Nothing is charged now.
                    """,
                    "Unless you agree, the subscription ends on that day, and isn't charged again.",
                ]
            ),
            (
                .german,
                [
                    """
                    Sie zahlen derzeit 4,99 $ pro Monat. Ab dem Abrechnungszeitraum, der am 10. März 2026 um \
                    19:00 Uhr (UTC) beginnt, beträgt der Preis 5,99 $ pro Monat. Jetzt wird nichts berechnet.
                    """,
                    "Wenn Sie nicht zustimmen, endet das Abonnement an diesem Tag, und es wird nichts mehr abgebucht.",
                ]
            ),
            (
                .japanese,
                [
                    """
                    現在の料金は月額$4.99です。2026年3月10日 19:00（UTC）に始まる期間から月額$5.99になります。\
                    現時点では請求は発生しません。
                    """,
                    "同意されない場合、サブスクリプションはその日に終了し、それ以降は請求されません。",
                ]
            ),
        ])
    func priceIncrease(language: TermsLanguage, expected: [String]) throws {
        var product = Product(
            bundleIdentifier: "com.example.shop", productIdentifier: "gold", kind: .autoRenewable,
            referenceName: "Gold", milliunits: 5990, localizations: [])
        let plan = Product.Plan(group: "metals", level: 2, period: SubscriptionPeriod(1, .month))
        product.plan = plan
        var subscription = Subscription(
            original: "1", account: "a1", bundleIdentifier: "com.example.shop", group: "metals",
            events: [SubscriptionEvent(.subscribed, at: Self.start, period: Self.period(product, plan, nil))])
        subscription.tell(Self.rise(5990), at: Self.start)
        let state = try #require(subscription.newestState)
        let increase = try #require(PendingPriceIncrease(subscription, state, product, at: Self.start))
        #expect(TermsText(language).paragraphs(increase) == expected)
    }

    @Test("The name of an app may have braces")
    func braces() throws {
        var terms = try terms()
        terms.contactBonus = SubscriptionPeriod(1, .month)
        let offer = try #require(TermsText(.german).contact(terms, app: "{end}"))
        #expect(offer.contains("an den Anbieter von {end} weitergeben."))
        #expect(offer.hasSuffix("dauert dann 1 Monat länger, bis zum 10. März 2026 um 19:00 Uhr (UTC)."))
    }
}
