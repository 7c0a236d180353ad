// SPDX-License-Identifier: Apache-2.0

extension Storefront {
    /// The storefronts of Apple's store on 2026-11-21, one per line: country
    /// code in three and in two letters, Apple's number, currency, languages,
    /// name.
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
        AFG AF 143610 USD en_GB Afghanistan
        AGO AO 143564 USD en_GB Angola
        AIA AI 143538 USD en_GB Anguilla
        ALB AL 143575 USD en_GB Albania
        ARE AE 143481 AED en_GB,ar_SA United Arab Emirates
        ARG AR 143505 USD es_MX,en_GB Argentina
        ARM AM 143524 USD en_GB Armenia
        ATG AG 143540 USD en_GB Antigua and Barbuda
        AUS AU 143460 AUD en_AU,en_GB Australia
        AUT AT 143445 EUR de_DE,en_GB Austria
        AZE AZ 143568 USD en_GB Azerbaijan
        BEL BE 143446 EUR en_GB,nl_NL,fr_FR Belgium
        BEN BJ 143576 USD en_GB,fr_FR Benin
        BFA BF 143578 USD en_GB,fr_FR Burkina Faso
        BGR BG 143526 EUR en_GB Bulgaria
        BHR BH 143559 USD en_GB,ar_SA Bahrain
        BHS BS 143539 USD en_GB Bahamas
        BIH BA 143612 EUR en_GB,hr Bosnia and Herzegovina
        BLR BY 143565 USD en_GB Belarus
        BLZ BZ 143555 USD en_GB,es_MX Belize
        BMU BM 143542 USD en_GB Bermuda
        BOL BO 143556 USD es_MX,en_GB Bolivia
        BRA BR 143503 BRL pt_BR,en_GB Brazil
        BRB BB 143541 USD en_GB Barbados
        BRN BN 143560 USD en_GB Brunei
        BTN BT 143577 USD en_GB Bhutan
        BWA BW 143525 USD en_GB Botswana
        CAN CA 143455 CAD en_CA,fr_CA Canada
        CHE CH 143459 CHF de_DE,en_GB,fr_FR,it Switzerland
        CHL CL 143483 CLP es_MX,en_GB Chile
        CHN CN 143465 CNY zh_Hans,en_GB China mainland
        CIV CI 143527 USD fr_FR,en_GB Côte d'Ivoire
        CMR CM 143574 USD fr_FR,en_GB Cameroon
        COD CD 143613 USD en_GB,fr_FR Congo, Democratic Republic of the
        COG CG 143582 USD en_GB,fr_FR Congo, Republic of the
        COL CO 143501 COP es_MX,en_GB Colombia
        CPV CV 143580 USD en_GB Cape Verde
        CRI CR 143495 USD es_MX,en_GB Costa Rica
        CYM KY 143544 USD en_GB Cayman Islands
        CYP CY 143557 EUR en_GB,el,tr Cyprus
        CZE CZ 143489 CZK en_GB,cs Czechia
        DEU DE 143443 EUR de_DE,en_GB Germany
        DMA DM 143545 USD en_GB Dominica
        DNK DK 143458 DKK en_GB,da Denmark
        DOM DO 143508 USD es_MX,en_GB Dominican Republic
        DZA DZ 143563 USD en_GB,ar_SA,fr_FR Algeria
        ECU EC 143509 USD es_MX,en_GB Ecuador
        EGY EG 143516 EGP en_GB,ar_SA,fr_FR Egypt
        ESP ES 143454 EUR es_ES,ca,en_GB Spain
        EST EE 143518 EUR en_GB Estonia
        FIN FI 143447 EUR en_GB,fi Finland
        FJI FJ 143583 USD en_GB Fiji
        FRA FR 143442 EUR fr_FR,en_GB France
        FSM FM 143591 USD en_GB Micronesia
        GAB GA 143614 USD fr_FR,en_GB Gabon
        GBR GB 143444 GBP en_GB United Kingdom
        GEO GE 143615 USD en_GB Georgia
        GHA GH 143573 USD en_GB Ghana
        GMB GM 143584 USD en_GB Gambia
        GNB GW 143585 USD en_GB,fr_FR Guinea-Bissau
        GRC GR 143448 EUR en_GB,el Greece
        GRD GD 143546 USD en_GB Grenada
        GTM GT 143504 USD es_MX,en_GB Guatemala
        GUY GY 143553 USD en_GB,fr_FR Guyana
        HKG HK 143463 HKD zh_Hant,en_GB Hong Kong
        HND HN 143510 USD es_MX,en_GB Honduras
        HRV HR 143494 EUR en_GB,hr Croatia
        HUN HU 143482 HUF en_GB,hu Hungary
        IDN ID 143476 IDR en_GB,id Indonesia
        IND IN 143467 INR en_GB,bn_BD,gu_IN,hi,kn_IN,ml_IN,mr_IN,or_IN,pa_IN,ta_IN,te_IN,ur_PK India
        IRL IE 143449 EUR en_GB Ireland
        IRQ IQ 143617 USD en_GB,ar_SA Iraq
        ISL IS 143558 USD en_GB Iceland
        ISR IL 143491 ILS en_GB,he Israel
        ITA IT 143450 EUR it,en_GB Italy
        JAM JM 143511 USD en_GB Jamaica
        JOR JO 143528 USD en_GB,ar_SA Jordan
        JPN JP 143462 JPY ja,en_US Japan
        KAZ KZ 143517 KZT en_GB Kazakhstan
        KEN KE 143529 USD en_GB Kenya
        KGZ KG 143586 USD en_GB Kyrgyzstan
        KHM KH 143579 USD en_GB,fr_FR Cambodia
        KNA KN 143548 USD en_GB St. Kitts and Nevis
        KOR KR 143466 KRW ko,en_GB Republic of Korea
        KWT KW 143493 USD en_GB,ar_SA Kuwait
        LAO LA 143587 USD en_GB,fr_FR Laos
        LBN LB 143497 USD en_GB,ar_SA,fr_FR Lebanon
        LBR LR 143588 USD en_GB Liberia
        LBY LY 143567 USD en_GB,ar_SA Libya
        LCA LC 143549 USD en_GB St. Lucia
        LKA LK 143486 USD en_GB Sri Lanka
        LTU LT 143520 EUR en_GB Lithuania
        LUX LU 143451 EUR en_GB,fr_FR,de_DE Luxembourg
        LVA LV 143519 EUR en_GB Latvia
        MAC MO 143515 USD zh_Hant,en_GB Macau
        MAR MA 143620 USD en_GB,ar_SA,fr_FR Morocco
        MDA MD 143523 USD en_GB Moldova
        MDG MG 143531 USD en_GB,fr_FR Madagascar
        MDV MV 143488 USD en_GB Maldives
        MEX MX 143468 MXN es_MX,en_GB Mexico
        MKD MK 143530 USD en_GB North Macedonia
        MLI ML 143532 USD en_GB,fr_FR Mali
        MLT MT 143521 EUR en_GB Malta
        MMR MM 143570 USD en_GB Myanmar
        MNE ME 143619 EUR en_GB,hr Montenegro
        MNG MN 143592 USD en_GB Mongolia
        MOZ MZ 143593 USD en_GB Mozambique
        MRT MR 143590 USD en_GB,ar_SA,fr_FR Mauritania
        MSR MS 143547 USD en_GB Montserrat
        MUS MU 143533 USD en_GB,fr_FR Mauritius
        MWI MW 143589 USD en_GB Malawi
        MYS MY 143473 MYR en_GB,ms Malaysia
        NAM NA 143594 USD en_GB Namibia
        NER NE 143534 USD en_GB,fr_FR Niger
        NGA NG 143561 NGN en_GB Nigeria
        NIC NI 143512 USD es_MX,en_GB Nicaragua
        NLD NL 143452 EUR nl_NL,en_GB Netherlands
        NOR NO 143457 NOK en_GB,no Norway
        NPL NP 143484 USD en_GB Nepal
        NRU NR 143606 USD en_GB Nauru
        NZL NZ 143461 NZD en_AU,en_GB New Zealand
        OMN OM 143562 USD en_GB,ar_SA Oman
        PAK PK 143477 PKR en_GB,ur_PK Pakistan
        PAN PA 143485 USD es_MX,en_GB Panama
        PER PE 143507 PEN es_MX,en_GB Peru
        PHL PH 143474 PHP en_GB Philippines
        PLW PW 143595 USD en_GB Palau
        PNG PG 143597 USD en_GB Papua New Guinea
        POL PL 143478 PLN en_GB,pl Poland
        PRT PT 143453 EUR pt_PT,en_GB Portugal
        PRY PY 143513 USD es_MX,en_GB Paraguay
        QAT QA 143498 QAR en_GB,ar_SA Qatar
        ROU RO 143487 RON en_GB,ro Romania
        RUS RU 143469 RUB ru,en_GB,uk Russia
        RWA RW 143621 USD en_GB,fr_FR Rwanda
        SAU SA 143479 SAR en_GB,ar_SA Saudi Arabia
        SEN SN 143535 USD en_GB,fr_FR Senegal
        SGP SG 143464 SGD en_GB,zh_Hans Singapore
        SLB SB 143601 USD en_GB Solomon Islands
        SLE SL 143600 USD en_GB Sierra Leone
        SLV SV 143506 USD es_MX,en_GB El Salvador
        SRB RS 143500 EUR en_GB,hr Serbia
        STP ST 143598 USD en_GB São Tomé and Príncipe
        SUR SR 143554 USD en_GB,nl_NL Suriname
        SVK SK 143496 EUR en_GB,sk Slovakia
        SVN SI 143499 EUR en_GB,sl_SI Slovenia
        SWE SE 143456 SEK sv,en_GB Sweden
        SWZ SZ 143602 USD en_GB Eswatini
        SYC SC 143599 USD en_GB,fr_FR Seychelles
        TCA TC 143552 USD en_GB Turks and Caicos Islands
        TCD TD 143581 USD en_GB,fr_FR Chad
        THA TH 143475 THB en_GB,th Thailand
        TJK TJ 143603 USD en_GB Tajikistan
        TKM TM 143604 USD en_GB Turkmenistan
        TON TO 143608 USD en_GB Tonga
        TTO TT 143551 USD en_GB,fr_FR Trinidad and Tobago
        TUN TN 143536 USD en_GB,ar_SA,fr_FR Tunisia
        TUR TR 143480 TRY en_GB,tr Türkiye
        TWN TW 143470 TWD zh_Hant,en_GB Taiwan
        TZA TZ 143572 TZS en_GB Tanzania
        UGA UG 143537 USD en_GB Uganda
        UKR UA 143492 USD en_GB,ru,uk Ukraine
        URY UY 143514 USD en_GB,es_MX Uruguay
        USA US 143441 USD en_US,ar_SA,zh_Hans,zh_Hant,fr_FR,ko,pt_BR,ru,es_MX,vi United States
        UZB UZ 143566 USD en_GB Uzbekistan
        VCT VC 143550 USD en_GB St. Vincent and the Grenadines
        VEN VE 143502 USD es_MX,en_GB Venezuela
        VGB VG 143543 USD en_GB British Virgin Islands
        VNM VN 143471 VND en_GB,vi Vietnam
        VUT VU 143609 USD en_GB,fr_FR Vanuatu
        XKS XK 143624 EUR en_GB Kosovo
        YEM YE 143571 USD en_GB,ar_SA Yemen
        ZAF ZA 143472 ZAR en_GB South Africa
        ZMB ZM 143622 USD en_GB Zambia
        ZWE ZW 143605 USD en_GB Zimbabwe
        """
}
