// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport

extension Template {
    /// The products of the first group: a change to `large` is an upgrade.
    static let baskets = ["weekly", "monthly", "large"]
    /// The products of the second group: a change between the first two is
    /// made immediately, without being an upgrade to another level.
    static let papers = ["paper", "free", "yearly"]

    /// The products of ``TestStore``, and two groups of subscriptions.
    static let catalogue = TestStore.catalogue.replacing(
        "\"version\" :",
        with: """
            "subscriptionGroups" : [
              { "id" : "BASKETS", "name" : "Baskets", "localizations" : [], "subscriptions" : [
                \(subscription("large", "9.99", "P1M", 1, "BASKETS")),
                \(subscription("monthly", "4.99", "P1M", 2, "BASKETS")),
                \(subscription("weekly", "1.49", "P1W", 2, "BASKETS")) ] },
              { "id" : "PAPERS", "name" : "Papers", "localizations" : [], "subscriptions" : [
                \(subscription("paper", "2.99", "P1M", 1, "PAPERS")),
                \(subscription("free", "0", "P1M", 1, "PAPERS")),
                \(subscription("yearly", "29.99", "P1Y", 1, "PAPERS")) ] }
            ],
            "version" :
            """)

    private static func subscription(
        _ identifier: String, _ price: String, _ period: String, _ level: Int, _ group: String
    ) -> String {
        """
        { "productID" : "\(identifier)", "referenceName" : "\(identifier)", "displayPrice" : "\(price)",
          "internalID" : "\(identifier)", "familyShareable" : false, "type" : "RecurringSubscription",
          "recurringSubscriptionPeriod" : "\(period)", "groupNumber" : \(level), "subscriptionGroupID" : "\(group)",
          "localizations" : [] }
        """
    }
}
