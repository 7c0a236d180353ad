// SPDX-License-Identifier: Apache-2.0

/// A country's store, with the currency and the locale of its prices.
package struct Storefront: Hashable, Sendable {
    /// ISO 3166-1 alpha-3.
    package var countryCode: String
    /// Apple's number of the storefront.
    package var identifier: String
    /// ISO 4217.
    package var currency: String
    /// The country's usual locale.
    package var locale: String

    /// The locale for formatting prices.
    package var priceLocale: String { "\(locale)@currency=\(currency)" }

    /// The storefront of a country; `nil` when there is none.
    package static func named(_ countryCode: String) -> Storefront? {
        byCountry[countryCode]
    }

    /// The storefront of a country.
    ///
    /// - Throws: ``DomainError`` `invalid` for a country without a
    ///   storefront.
    static func known(_ countryCode: String) throws -> Storefront {
        guard let storefront = named(countryCode) else {
            throw DomainError(
                .invalid,
                "There is no storefront \"\(countryCode)\": use a three-letter country code such as USA or DEU.")
        }
        return storefront
    }

    /// The storefront of a device on which no account is signed in.
    package static let unitedStates = Storefront(
        countryCode: "USA", identifier: "143441", currency: "USD", locale: "en_US")

    private static let byCountry: [String: Storefront] = Dictionary(
        uniqueKeysWithValues: table.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return (
                words[0], Storefront(countryCode: words[0], identifier: words[1], currency: words[2], locale: words[3])
            )
        })

    // Country, Apple's storefront number, currency, locale.
    private static let table = """
        ARE 143481 AED en_AE
        AUS 143460 AUD en_AU
        AUT 143445 EUR de_AT
        BEL 143446 EUR nl_BE
        BGR 143526 BGN bg_BG
        BRA 143503 BRL pt_BR
        CAN 143455 CAD en_CA
        CHE 143459 CHF de_CH
        CHL 143483 CLP es_CL
        CHN 143465 CNY zh_CN
        COL 143501 COP es_CO
        CZE 143489 CZK cs_CZ
        DEU 143443 EUR de_DE
        DNK 143458 DKK da_DK
        EGY 143516 EGP ar_EG
        ESP 143454 EUR es_ES
        EST 143518 EUR et_EE
        FIN 143447 EUR fi_FI
        FRA 143442 EUR fr_FR
        GBR 143444 GBP en_GB
        GRC 143448 EUR el_GR
        HKG 143463 HKD zh_HK
        HRV 143494 HRK hr_HR
        HUN 143482 HUF hu_HU
        IDN 143476 IDR id_ID
        IND 143467 INR en_IN
        IRL 143449 EUR en_IE
        ISR 143491 ILS he_IL
        ITA 143450 EUR it_IT
        JPN 143462 JPY ja_JP
        KOR 143466 KRW ko_KR
        LTU 143520 EUR lt_LT
        LUX 143451 EUR fr_LU
        LVA 143519 EUR lv_LV
        MEX 143468 MXN es_MX
        MYS 143473 MYR ms_MY
        NLD 143452 EUR nl_NL
        NOR 143457 NOK nb_NO
        NZL 143461 NZD en_NZ
        PHL 143474 PHP en_PH
        POL 143478 PLN pl_PL
        PRT 143453 EUR pt_PT
        ROU 143487 RON ro_RO
        SAU 143479 SAR ar_SA
        SGP 143464 SGD en_SG
        SVK 143496 EUR sk_SK
        SVN 143499 EUR sl_SI
        SWE 143456 SEK sv_SE
        THA 143475 THB th_TH
        TUR 143480 TRY tr_TR
        TWN 143470 TWD zh_TW
        USA 143441 USD en_US
        VNM 143471 VND vi_VN
        ZAF 143472 ZAR en_ZA
        """
}
