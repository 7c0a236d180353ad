// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Files in the formats of several versions of Xcode, with every kind of offer
/// and with keys that the store doesn't know.
struct ConfigurationFormatTests {
    private static let app = App(bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier), name: "Fruit")

    private func start(_ store: TestStore, with text: String) async throws {
        let file = try StoreKitConfigurationFile(
            Data(text.utf8), file: "shop.storekit", bundleIdentifier: Self.app.bundleIdentifier)
        try await ImportingCatalogue(store.context)(file, into: Self.app)
    }

    private func export(_ store: TestStore) async throws -> String {
        String(decoding: try await ExportingCatalogue(store.context)(Self.app.bundleIdentifier), as: UTF8.self)
    }

    @Test(
        "A file is exported byte for byte", arguments: Engine.stores,
        [ConfigurationFormat.three, .five, .sixThree])
    func unedited(engine: Engine, format: ConfigurationFormat) async throws {
        try await engine.withStore { store in
            for text in [format.text, format.text.replacing("\n", with: "\r\n")] {
                try await start(store, with: text)

                #expect(try await export(store) == text)
            }
        }
    }

    @Test(
        "The edit of one price changes nothing else", arguments: Engine.stores,
        [ConfigurationFormat.three, .five, .sixThree])
    func onePrice(engine: Engine, format: ConfigurationFormat) async throws {
        try await engine.withStore { store in
            try await start(store, with: format.text)
            let old = "\"displayPrice\" : \"9.99\""
            #expect(format.text.ranges(of: old).count == 1)

            try await store.service.setPrice(
                product: "gold", of: Self.app.bundleIdentifier, in: nil, to: "10.99")

            let wanted = format.text.replacing(old, with: "\"displayPrice\" : \"10.99\"")
            #expect(try await export(store) == wanted)
            // Another store imports the export, and exports it again.
            try await Engine.sqliteMemory.withStore { other in
                try await start(other, with: wanted)
                #expect(try await export(other) == wanted)
            }
        }
    }

    @Test("The edit of a win-back offer keeps the offers' other keys, and is imported again", arguments: Engine.stores)
    func winBack(engine: Engine) async throws {
        try await engine.withStore { store in
            let text = ConfigurationFormat.sixThree.text.replacing(
                "\"paymentMode\" : \"free\",\n              \"subscriptionPeriod\" : \"P3M\"",
                with: """
                    "paymentMode" : "free",
                                  "subscriptionPeriod" : "P3M",
                                  "unknown" : 7
                                },
                                {
                                  "billingPlanType" : "MONTHLY",
                                  "offerID" : "monthly",
                                  "paymentMode" : "free",
                                  "subscriptionPeriod" : "P1M"
                    """)
            #expect(text.contains("\"offerID\" : \"monthly\""))
            try await start(store, with: text)
            try await SettingWinBackConditions(store.context)(
                WinBackConditions(paidMonths: 2, lapsedMonths: 2...3, waitMonths: 6), priority: .high, of: "return",
                product: "gold", in: Self.app.bundleIdentifier)

            let exported = try await export(store)

            let (old, new) = (lines(text), lines(exported))
            #expect(old.subtracting(new).isEmpty)
            #expect(
                new.subtracting(old) == [
                    "\"_openStoreKit\" : {", "\"conditions\" : {", "\"leastLapsedMonths\" : 2,",
                    "\"mostLapsedMonths\" : 3,", "\"paidMonths\" : 2,", "\"waitMonths\" : 6", "\"priority\" : 1,",
                ])
            try await Engine.sqliteMemory.withStore { other in
                try await start(other, with: exported)
                #expect(try await export(other) == exported)
                let offer = try await other.context.read { db in
                    try Catalogue.known("gold", of: Self.app.bundleIdentifier, db).offers.last
                }
                #expect(offer?.conditions == WinBackConditions(paidMonths: 2, lapsedMonths: 2...3, waitMonths: 6))
                #expect(offer?.priority == .high && offer?.isEligible == false)
            }
        }
    }

    /// The different lines of a file, without their indentation.
    private func lines(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").map { String($0.drop { $0 == " " }) })
    }
}

/// A version of Xcode's files, with a file of it.
struct ConfigurationFormat: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String

    private init(
        _ version: (major: Int, minor: Int), settings: String, other: String, plan: String,
        product: String = ""
    ) {
        testDescription = "\(version.major).\(version.minor)"
        text = """
            {
              "identifier" : "6073E9A3",
              "nonRenewingSubscriptions" : [

              ],
              "products" : [
                {\(product.isEmpty ? "" : "\n\(product)")
                  "displayPrice" : "0.99",
                  "familyShareable" : false,
                  "internalID" : "AE10D05D",
                  "localizations" : [

                  ],
                  "productID" : "fig",
                  "referenceName" : "Fig",
                  "type" : "Consumable"
                }
              ],
              "settings" : {
            \(settings)
              },
              "subscriptionGroups" : [
                {
                  "id" : "E9B1A0C4",
                  "localizations" : [

                  ],
                  "name" : "Metals",
                  "subscriptions" : [
                    {
            \(plan)
                      "displayPrice" : "9.99",
                      "familyShareable" : false,
                      "groupNumber" : 1,
                      "internalID" : "6A3C0D11",
                      "localizations" : [
                        {
                          "description" : "",
                          "displayName" : "Gold",
                          "locale" : "en_US"
                        }
                      ],
                      "productID" : "gold",
                      "recurringSubscriptionPeriod" : "P1Y",
                      "referenceName" : "Gold",
                      "subscriptionGroupID" : "E9B1A0C4",
                      "type" : "RecurringSubscription"
                    }
                  ]
                }
              ],
            \(other)
              "version" : {
                "major" : \(version.major),
                "minor" : \(version.minor)
              }
            }

            """
    }

    /// The format with the first key of signed offers. It is synchronized with
    /// App Store Connect, which adds further keys.
    static let three = ConfigurationFormat(
        (3, 0),
        settings: """
                "_applicationInternalID" : "1234567890",
                "_developerTeamID" : "ABCDE12345",
                "_lastSynchronizedDate" : 702571245.92730403,
                "_storeKitErrors" : [
                  {
                    "current" : {
                      "index" : 2,
                      "type" : "generic"
                    },
                    "enabled" : true,
                    "name" : "Load Products"
                  }
                ],
                "_timeRate" : 6
            """,
        other: """
              "subscriptionOffersKeyPair" : {
                "id" : "1B2D3F4A",
                "privateKey" : "\(privateKey)"
              },
            """,
        plan: """
                      "adHocOffers" : [
                        {
                          "displayPrice" : "4.99",
                          "internalID" : "01AB23CD",
                          "numberOfPeriods" : 1,
                          "offerID" : "spring",
                          "paymentMode" : "payUpFront",
                          "referenceName" : "Spring",
                          "subscriptionPeriod" : "P6M"
                        }
                      ],
                      "codeOffers" : [
                        {
                          "eligibility" : [
                            "existing",
                            "expired",
                            "new"
                          ],
                          "internalID" : "45EF67AB",
                          "isStackable" : true,
                          "paymentMode" : "free",
                          "referenceName" : "Letter",
                          "subscriptionPeriod" : "P1M"
                        }
                      ],
                      "introductoryOffer" : {
                        "internalID" : "89CD01EF",
                        "paymentMode" : "free",
                        "subscriptionPeriod" : "P1W"
                      },
            """)

    /// The format with lists of introductory offers and with billing plans.
    static let five = ConfigurationFormat(
        (5, 0),
        settings: """
                "_billingGracePeriodEnabled" : false,
                "_renewalBillingIssuesEnabled" : true,
                "_wonder" : 1.50
            """,
        other: """
              "appPolicies" : {
                "eula" : "Eat \\u0026 drink.",
                "policies" : [
                  {
                    "locale" : "en_US",
                    "policyText" : "",
                    "policyURL" : "https:\\/\\/fruit.example"
                  }
                ]
              },
            """,
        plan: """
                      "adHocOffers" : [
                        {
                          "billingPlanType" : "MONTHLY",
                          "displayPrice" : "0.50",
                          "internalID" : "01AB23CD",
                          "numberOfPeriods" : 3,
                          "offerID" : "monthly",
                          "paymentMode" : "payAsYouGo",
                          "subscriptionPeriod" : "P1M"
                        }
                      ],
                      "billingPlans" : [
                        {
                          "billingPlanType" : "MONTHLY",
                          "commitmentDisplayPrice" : "12.00",
                          "displayPrice" : "1",
                          "internalID" : "23CD45EF",
                          "isEnabled" : true
                        }
                      ],
                      "codeOffers" : [

                      ],
                      "introductoryOffers" : [
                        {
                          "billingPlanType" : "BILLED_UPFRONT",
                          "displayPrice" : "1.50",
                          "internalID" : "89CD01EF",
                          "numberOfPeriods" : 1,
                          "paymentMode" : "payAsYouGo",
                          "subscriptionPeriod" : "P1Y"
                        },
                        {
                          "billingPlanType" : "MONTHLY",
                          "internalID" : "67AB89CD",
                          "numberOfPeriods" : 1,
                          "paymentMode" : "free",
                          "subscriptionPeriod" : "P1M"
                        }
                      ],
                      "winbackOffers" : [
                        {
                          "displayPrice" : "2.99",
                          "internalID" : "AB01CD23",
                          "isEligible" : true,
                          "numberOfPeriods" : 2,
                          "offerID" : "return",
                          "paymentMode" : "payAsYouGo",
                          "priority" : 1,
                          "referenceName" : "Return",
                          "subscriptionPeriod" : "P1M"
                        }
                      ],
            """)

    /// The format with bundles, and keys of no format.
    static let sixThree = ConfigurationFormat(
        (6, 3),
        settings: "",
        other: """
              "subscriptionBundleGroups" : [
                {
                  "bundles" : [
                    {
                      "displayPrice" : "19.99",
                      "subscriptions" : [
                        "gold",
                        "silver"
                      ]
                    }
                  ],
                  "id" : "0F1E2D3C"
                }
              ],
              "unknown" : [
                null,
                -1.50e+3,
                {

                }
              ],
            """,
        plan: """
                      "adHocOffers" : [

                      ],
                      "billingPlans" : [

                      ],
                      "codeOffers" : [
                        {
                          "eligibility" : [
                            "new"
                          ],
                          "internalID" : "45EF67AB",
                          "numberOfPeriods" : 1e0,
                          "paymentMode" : "free",
                          "referenceName" : "Autumn",
                          "subscriptionPeriod" : "P2W",
                          "unknown" : "\\u00e4 ä"
                        }
                      ],
                      "introductoryOffer" : null,
                      "introductoryOffers" : [
                        {
                          "displayPrice" : "1.5",
                          "internalID" : "89CD01EF",
                          "numberOfPeriods" : 1,
                          "paymentMode" : "payAsYouGo",
                          "subscriptionPeriod" : "P1Y",
                          "unknown" : {
                            "deep" : [
                              true
                            ]
                          }
                        }
                      ],
                      "unknown" : 1.0,
                      "winbackOffers" : [
                        {
                          "isEligible" : false,
                          "offerID" : "return",
                          "paymentMode" : "free",
                          "subscriptionPeriod" : "P3M"
                        }
                      ],
            """,
        product: """
                  "codeOffers" : [
                    {
                      "displayPrice" : "0.490",
                      "internalID" : "0A1B2C3D",
                      "referenceName" : "Half",
                      "unknown" : 7
                    }
                  ],
            """)

    /// A key as Xcode writes it: PKCS #8 in base64, with escaped slashes.
    private static var privateKey: String {
        P256.Signing.PrivateKey().derRepresentation.base64EncodedString().replacing("/", with: "\\/")
    }
}
