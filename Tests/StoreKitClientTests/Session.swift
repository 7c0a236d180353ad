// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreKitTest
import StoreTestSupport
import Testing

/// The suite of the tests that use the process' one StoreKit. They run one at
/// a time.
@Suite(.serialized, .oneAppAtATime, .timeLimit(.hang))
enum WithSession {}

/// A session that sells the tests' products and confirms dialogs
/// automatically.
func makeSession() throws -> SKTestSession {
    let session = try SKTestSession(contentsOf: try TestPreferences.file("Listings.storekit", configuration))
    session.disableDialogs = true
    return session
}

private let configuration = """
    {
      "products" : [
        { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "1",
          "productID" : "com.example.rocketCar", "referenceName" : "Rocket car", "type" : "NonConsumable",
          "localizations" : [
            { "description" : "A car with a rocket", "displayName" : "Rocket Car", "locale" : "en_US" },
            { "description" : "Ein Auto mit Rakete", "displayName" : "Raketenauto", "locale" : "de_DE" } ] },
        { "displayPrice" : "1.99", "familyShareable" : false, "internalID" : "2",
          "productID" : "com.example.apple", "referenceName" : "Apple", "type" : "NonConsumable", "localizations" : [
            { "description" : "A red apple", "displayName" : "Apple", "locale" : "en_US" } ] },
        { "displayPrice" : "0.49", "familyShareable" : false, "internalID" : "3",
          "productID" : "com.example.seeds", "referenceName" : "Seeds", "type" : "Consumable", "localizations" : [
            { "description" : "Ten seeds", "displayName" : "Seeds", "locale" : "en_US" } ] }
      ],
      "version" : { "major" : 2, "minor" : 0 }
    }
    """
