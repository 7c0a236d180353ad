// SPDX-License-Identifier: Apache-2.0

/// The products of `ReportedAnswer.table`, as a file of Xcode.
enum ReportedCatalogue {
    private static func product(_ identifier: String, _ price: String, _ type: String, isShared: Bool = false) -> String
    {
        """
        { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "\(price)",
          "internalID" : "\(identifier)", "familyShareable" : \(isShared), "type" : "\(type)", "localizations" : [] }
        """
    }

    private static func plan(
        _ identifier: String, _ price: String, _ period: String, level: Int, isShared: Bool = false, _ offers: String
    ) -> String {
        """
        { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "\(price)",
          "internalID" : "\(identifier)", "familyShareable" : \(isShared), "type" : "RecurringSubscription",
          "recurringSubscriptionPeriod" : "\(period)", "groupNumber" : \(level), "subscriptionGroupID" : "PLANS",
          "localizations" : []\(offers) }
        """
    }

    private static let goldOffers = """
        , "adHocOffers" : [
          { "internalID" : "1", "offerID" : "comeback3", "referenceName" : "Come back", "displayPrice" : "2.99",
            "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M", "numberOfPeriods" : 3 } ],
        "codeOffers" : [
          { "internalID" : "2", "referenceName" : "spring", "displayPrice" : "2.99", "isStackable" : false,
            "eligibility" : ["new", "existing", "expired"],
            "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M", "numberOfPeriods" : 2 } ],
        "winbackOffers" : [
          { "internalID" : "3", "offerID" : "return", "referenceName" : "Return", "isEligible" : true,
            "paymentMode" : "free", "subscriptionPeriod" : "P1M" } ]
        """

    private static let trial = """
        , "introductoryOffer" : { "internalID" : "4", "paymentMode" : "free", "subscriptionPeriod" : "P1W" }
        """

    static let text = """
        {
          "products" : [
            \(product("shop.coins", "0.99", "Consumable")),
            \(product("shop.pro", "9.99", "NonConsumable", isShared: true)) ],
          "nonRenewingSubscriptions" : [ \(product("shop.pass30", "4.99", "NonRenewingSubscription")) ],
          "subscriptionGroups" : [
            { "id" : "PLANS", "name" : "Plans", "localizations" : [], "subscriptions" : [
              \(plan("shop.gold.month", "9.99", "P1M", level: 1, isShared: true, goldOffers)),
              \(plan("shop.silver.month", "4.99", "P1M", level: 2, trial)),
              \(plan("shop.silver.year", "49.99", "P1Y", level: 2, "")) ] } ],
          "version" : { "major" : 3, "minor" : 0 }
        }
        """
}
