// SPDX-License-Identifier: Apache-2.0

extension Storefront {
    /// The storefronts of Apple's store on 2026-11-21, one per line: country
    /// code in three and in two letters, Apple's number, currency, languages, the
    /// language of prices, name.
    ///
    /// The language of prices is the first of the storefront's, or, where that
    /// is British English, the most likely one of the country (CLDR, likely
    /// subtags, as ICU of Swift 6.3 has them) if the App Store has it.
    ///
    /// Countries and languages are those of Apple's Help page "App Store
    /// localizations". Some values are less certain than the others:
    ///
    /// - Apple publishes no numbers. Those of AFG, BEN, BFA, BIH, BTN, CMR,
    ///   COD, COG, CPV, FJI, FSM, GAB, GMB, GNB, IRQ, KGZ, KHM, LAO, LBR,
    ///   LBY, MAR, MMR, MNE, MOZ, MRT, MWI, NAM, NRU, PLW, PNG, RWA, SLB,
    ///   SLE, STP, SWZ, SYC, TCD, TJK, TKM, TON, VUT, XKS, ZMB and ZWE are in
    ///   fewer lists than the others.
    /// - An older list has USD for BIH and SRB. Bulgaria's store changed to
    ///   EUR in 2026. Apple changes the currency of a storefront now and then.
    /// - Kosovo is XKS and XK in Apple's store, but XKX in other lists.
    /// - The spelling of the names wasn't compared with Apple's.
    static let table = """
        AFG AF 143610 USD en_GB en Afghanistan
        AGO AO 143564 USD en_GB pt Angola
        AIA AI 143538 USD en_GB en Anguilla
        ALB AL 143575 USD en_GB en Albania
        ARE AE 143481 AED en_GB,ar_SA ar United Arab Emirates
        ARG AR 143505 USD es_MX,en_GB es Argentina
        ARM AM 143524 USD en_GB en Armenia
        ATG AG 143540 USD en_GB en Antigua and Barbuda
        AUS AU 143460 AUD en_AU,en_GB en Australia
        AUT AT 143445 EUR de_DE,en_GB de Austria
        AZE AZ 143568 USD en_GB en Azerbaijan
        BEL BE 143446 EUR en_GB,nl_NL,fr_FR nl Belgium
        BEN BJ 143576 USD en_GB,fr_FR fr Benin
        BFA BF 143578 USD en_GB,fr_FR fr Burkina Faso
        BGR BG 143526 EUR en_GB en Bulgaria
        BHR BH 143559 USD en_GB,ar_SA ar Bahrain
        BHS BS 143539 USD en_GB en Bahamas
        BIH BA 143612 EUR en_GB,hr en Bosnia and Herzegovina
        BLR BY 143565 USD en_GB en Belarus
        BLZ BZ 143555 USD en_GB,es_MX en Belize
        BMU BM 143542 USD en_GB en Bermuda
        BOL BO 143556 USD es_MX,en_GB es Bolivia
        BRA BR 143503 BRL pt_BR,en_GB pt Brazil
        BRB BB 143541 USD en_GB en Barbados
        BRN BN 143560 USD en_GB ms Brunei
        BTN BT 143577 USD en_GB en Bhutan
        BWA BW 143525 USD en_GB en Botswana
        CAN CA 143455 CAD en_CA,fr_CA en Canada
        CHE CH 143459 CHF de_DE,en_GB,fr_FR,it de Switzerland
        CHL CL 143483 CLP es_MX,en_GB es Chile
        CHN CN 143465 CNY zh_Hans,en_GB zh_Hans China mainland
        CIV CI 143527 USD fr_FR,en_GB fr Côte d'Ivoire
        CMR CM 143574 USD fr_FR,en_GB fr Cameroon
        COD CD 143613 USD en_GB,fr_FR en Congo, Democratic Republic of the
        COG CG 143582 USD en_GB,fr_FR fr Congo, Republic of the
        COL CO 143501 COP es_MX,en_GB es Colombia
        CPV CV 143580 USD en_GB pt Cape Verde
        CRI CR 143495 USD es_MX,en_GB es Costa Rica
        CYM KY 143544 USD en_GB en Cayman Islands
        CYP CY 143557 EUR en_GB,el,tr el Cyprus
        CZE CZ 143489 CZK en_GB,cs cs Czechia
        DEU DE 143443 EUR de_DE,en_GB de Germany
        DMA DM 143545 USD en_GB en Dominica
        DNK DK 143458 DKK en_GB,da da Denmark
        DOM DO 143508 USD es_MX,en_GB es Dominican Republic
        DZA DZ 143563 USD en_GB,ar_SA,fr_FR ar Algeria
        ECU EC 143509 USD es_MX,en_GB es Ecuador
        EGY EG 143516 EGP en_GB,ar_SA,fr_FR ar Egypt
        ESP ES 143454 EUR es_ES,ca,en_GB es Spain
        EST EE 143518 EUR en_GB en Estonia
        FIN FI 143447 EUR en_GB,fi fi Finland
        FJI FJ 143583 USD en_GB en Fiji
        FRA FR 143442 EUR fr_FR,en_GB fr France
        FSM FM 143591 USD en_GB en Micronesia
        GAB GA 143614 USD fr_FR,en_GB fr Gabon
        GBR GB 143444 GBP en_GB en United Kingdom
        GEO GE 143615 USD en_GB en Georgia
        GHA GH 143573 USD en_GB en Ghana
        GMB GM 143584 USD en_GB en Gambia
        GNB GW 143585 USD en_GB,fr_FR pt Guinea-Bissau
        GRC GR 143448 EUR en_GB,el el Greece
        GRD GD 143546 USD en_GB en Grenada
        GTM GT 143504 USD es_MX,en_GB es Guatemala
        GUY GY 143553 USD en_GB,fr_FR en Guyana
        HKG HK 143463 HKD zh_Hant,en_GB zh_Hant Hong Kong
        HND HN 143510 USD es_MX,en_GB es Honduras
        HRV HR 143494 EUR en_GB,hr hr Croatia
        HUN HU 143482 HUF en_GB,hu hu Hungary
        IDN ID 143476 IDR en_GB,id id Indonesia
        IND IN 143467 INR en_GB,bn_BD,gu_IN,hi,kn_IN,ml_IN,mr_IN,or_IN,pa_IN,ta_IN,te_IN,ur_PK hi India
        IRL IE 143449 EUR en_GB en Ireland
        IRQ IQ 143617 USD en_GB,ar_SA ar Iraq
        ISL IS 143558 USD en_GB en Iceland
        ISR IL 143491 ILS en_GB,he he Israel
        ITA IT 143450 EUR it,en_GB it Italy
        JAM JM 143511 USD en_GB en Jamaica
        JOR JO 143528 USD en_GB,ar_SA ar Jordan
        JPN JP 143462 JPY ja,en_US ja Japan
        KAZ KZ 143517 KZT en_GB ru Kazakhstan
        KEN KE 143529 USD en_GB en Kenya
        KGZ KG 143586 USD en_GB en Kyrgyzstan
        KHM KH 143579 USD en_GB,fr_FR en Cambodia
        KNA KN 143548 USD en_GB en St. Kitts and Nevis
        KOR KR 143466 KRW ko,en_GB ko Republic of Korea
        KWT KW 143493 USD en_GB,ar_SA ar Kuwait
        LAO LA 143587 USD en_GB,fr_FR en Laos
        LBN LB 143497 USD en_GB,ar_SA,fr_FR ar Lebanon
        LBR LR 143588 USD en_GB en Liberia
        LBY LY 143567 USD en_GB,ar_SA ar Libya
        LCA LC 143549 USD en_GB en St. Lucia
        LKA LK 143486 USD en_GB en Sri Lanka
        LTU LT 143520 EUR en_GB en Lithuania
        LUX LU 143451 EUR en_GB,fr_FR,de_DE fr Luxembourg
        LVA LV 143519 EUR en_GB en Latvia
        MAC MO 143515 USD zh_Hant,en_GB zh_Hant Macau
        MAR MA 143620 USD en_GB,ar_SA,fr_FR ar Morocco
        MDA MD 143523 USD en_GB ro Moldova
        MDG MG 143531 USD en_GB,fr_FR en Madagascar
        MDV MV 143488 USD en_GB en Maldives
        MEX MX 143468 MXN es_MX,en_GB es Mexico
        MKD MK 143530 USD en_GB en North Macedonia
        MLI ML 143532 USD en_GB,fr_FR en Mali
        MLT MT 143521 EUR en_GB en Malta
        MMR MM 143570 USD en_GB en Myanmar
        MNE ME 143619 EUR en_GB,hr en Montenegro
        MNG MN 143592 USD en_GB en Mongolia
        MOZ MZ 143593 USD en_GB pt Mozambique
        MRT MR 143590 USD en_GB,ar_SA,fr_FR ar Mauritania
        MSR MS 143547 USD en_GB en Montserrat
        MUS MU 143533 USD en_GB,fr_FR en Mauritius
        MWI MW 143589 USD en_GB en Malawi
        MYS MY 143473 MYR en_GB,ms ms Malaysia
        NAM NA 143594 USD en_GB en Namibia
        NER NE 143534 USD en_GB,fr_FR en Niger
        NGA NG 143561 NGN en_GB en Nigeria
        NIC NI 143512 USD es_MX,en_GB es Nicaragua
        NLD NL 143452 EUR nl_NL,en_GB nl Netherlands
        NOR NO 143457 NOK en_GB,no nb Norway
        NPL NP 143484 USD en_GB en Nepal
        NRU NR 143606 USD en_GB en Nauru
        NZL NZ 143461 NZD en_AU,en_GB en New Zealand
        OMN OM 143562 USD en_GB,ar_SA ar Oman
        PAK PK 143477 PKR en_GB,ur_PK ur Pakistan
        PAN PA 143485 USD es_MX,en_GB es Panama
        PER PE 143507 PEN es_MX,en_GB es Peru
        PHL PH 143474 PHP en_GB en Philippines
        PLW PW 143595 USD en_GB en Palau
        PNG PG 143597 USD en_GB en Papua New Guinea
        POL PL 143478 PLN en_GB,pl pl Poland
        PRT PT 143453 EUR pt_PT,en_GB pt Portugal
        PRY PY 143513 USD es_MX,en_GB es Paraguay
        QAT QA 143498 QAR en_GB,ar_SA ar Qatar
        ROU RO 143487 RON en_GB,ro ro Romania
        RUS RU 143469 RUB ru,en_GB,uk ru Russia
        RWA RW 143621 USD en_GB,fr_FR en Rwanda
        SAU SA 143479 SAR en_GB,ar_SA ar Saudi Arabia
        SEN SN 143535 USD en_GB,fr_FR fr Senegal
        SGP SG 143464 SGD en_GB,zh_Hans en Singapore
        SLB SB 143601 USD en_GB en Solomon Islands
        SLE SL 143600 USD en_GB en Sierra Leone
        SLV SV 143506 USD es_MX,en_GB es El Salvador
        SRB RS 143500 EUR en_GB,hr en Serbia
        STP ST 143598 USD en_GB pt São Tomé and Príncipe
        SUR SR 143554 USD en_GB,nl_NL nl Suriname
        SVK SK 143496 EUR en_GB,sk sk Slovakia
        SVN SI 143499 EUR en_GB,sl_SI sl Slovenia
        SWE SE 143456 SEK sv,en_GB sv Sweden
        SWZ SZ 143602 USD en_GB en Eswatini
        SYC SC 143599 USD en_GB,fr_FR fr Seychelles
        TCA TC 143552 USD en_GB en Turks and Caicos Islands
        TCD TD 143581 USD en_GB,fr_FR fr Chad
        THA TH 143475 THB en_GB,th th Thailand
        TJK TJ 143603 USD en_GB en Tajikistan
        TKM TM 143604 USD en_GB en Turkmenistan
        TON TO 143608 USD en_GB en Tonga
        TTO TT 143551 USD en_GB,fr_FR en Trinidad and Tobago
        TUN TN 143536 USD en_GB,ar_SA,fr_FR ar Tunisia
        TUR TR 143480 TRY en_GB,tr tr Türkiye
        TWN TW 143470 TWD zh_Hant,en_GB zh_Hant Taiwan
        TZA TZ 143572 TZS en_GB en Tanzania
        UGA UG 143537 USD en_GB en Uganda
        UKR UA 143492 USD en_GB,ru,uk uk Ukraine
        URY UY 143514 USD en_GB,es_MX es Uruguay
        USA US 143441 USD en_US,ar_SA,zh_Hans,zh_Hant,fr_FR,ko,pt_BR,ru,es_MX,vi en United States
        UZB UZ 143566 USD en_GB en Uzbekistan
        VCT VC 143550 USD en_GB en St. Vincent and the Grenadines
        VEN VE 143502 USD es_MX,en_GB es Venezuela
        VGB VG 143543 USD en_GB en British Virgin Islands
        VNM VN 143471 VND en_GB,vi vi Vietnam
        VUT VU 143609 USD en_GB,fr_FR en Vanuatu
        XKS XK 143624 EUR en_GB en Kosovo
        YEM YE 143571 USD en_GB,ar_SA ar Yemen
        ZAF ZA 143472 ZAR en_GB en South Africa
        ZMB ZM 143622 USD en_GB en Zambia
        ZWE ZW 143605 USD en_GB en Zimbabwe
        """
}
