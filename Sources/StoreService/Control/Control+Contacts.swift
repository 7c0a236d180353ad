// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

extension Control {
    /// Lists the contacts that customers have shared with the seller of an
    /// app.
    package struct ContactsCall: Codable, Sendable {
        /// The app's bundle identifier.
        package var bundle: String
        /// The last contact of the page before; the first page when absent.
        package var after: ContactAnswer.Place?

        package init(bundle: String, after: ContactAnswer.Place? = nil) {
            self.bundle = bundle
            self.after = after
        }
    }

    /// A contact, with the purchase for which it was shared.
    package struct ContactAnswer: Codable, Sendable {
        /// The place of a contact in the list.
        package struct Place: Codable, Sendable {
            package var transaction: String
            /// In milliseconds since 1970.
            package var shared: Int64
        }

        package var name: String
        package var email: String
        package var postcode: String
        package var product: String
        package var transaction: String
        /// When the purchase was made, in milliseconds since 1970.
        package var shared: Int64

        /// The contact's place, after which the next page begins.
        package var place: Place { Place(transaction: transaction, shared: shared) }
    }

    /// The next contacts, oldest first; empty at the end.
    package struct ContactsAnswer: Codable, Sendable {
        package var contacts: [ContactAnswer]
    }
}

extension Control.ContactsAnswer {
    /// Lists the contacts of an app of a store.
    ///
    /// - Throws: The errors of `ListingContacts`.
    package init(listing call: Control.ContactsCall, of context: StoreContext) async throws {
        let last = call.after.map {
            ListingContacts.Position(
                shared: WallTime(milliseconds: $0.shared), transaction: TransactionIdentifier($0.transaction))
        }
        self.init(
            contacts: try await ListingContacts(context)(of: BundleIdentifier(call.bundle), after: last).map { listed in
                Control.ContactAnswer(
                    name: listed.contact.name, email: listed.contact.email, postcode: listed.contact.postcode,
                    product: listed.product.rawValue, transaction: listed.transaction.rawValue,
                    shared: listed.shared.milliseconds)
            })
    }
}
