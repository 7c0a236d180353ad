// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI
import StoreDomain
import StoreService

/// The contacts that customers have shared with the seller of an app.
extension ConnectAPI {
    func addContacts(to router: StoreRouter) {
        router.get("/connect/v1/apps/:app/contacts") { request, context in
            await respond(request, context) { caller in
                let app = try Self.app(context)
                let after = try request.queryValues["after"]?.nonEmpty.map(ContactsPage.place)
                if request.headers[.accept]?.contains("text/csv") == true {
                    return try await ContactsDownload(app: app, after: after).file(caller.service, as: caller.user)
                        .response
                }
                let page = try await caller.service.teamContacts(of: app, after: after, as: caller.user)
                return .json(
                    ConnectAnswers.Contacts(
                        contacts: page.entries.map(ConnectAnswers.Contact.init), next: page.next?.text))
            }
        }
    }
}

extension ConnectAnswers {
    struct Contact: Encodable {
        var name: String
        var email: String
        var postcode: String
        var product: String
        var transaction: String
        var shared: String

        init(_ listed: ListingContacts.Listed) {
            name = listed.contact.name
            email = listed.contact.email
            postcode = listed.contact.postcode
            product = listed.product.rawValue
            transaction = listed.transaction.rawValue
            shared = listed.shared.iso8601
        }
    }

    struct Contacts: Encodable {
        var contacts: [Contact]
        var next: String?
    }
}
