// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreDomain
@testable import StoreServer
@testable import StoreService

/// Compares the table of limits in `docs/threat-model.md` with the code.
struct ThreatModelTests {
    private static var limits: [String: Int64] {
        let server = ServerLimits()
        let requests = RequestLimits(server)
        func seconds(_ duration: Duration) -> Int64 { duration.components.seconds }
        return [
            "connections": Int64(server.connections),
            "connections in reserve": Int64(server.reservedConnections),
            "apps in event streams": Int64(server.streams),
            "event streams of an app on a device": Int64(EventHub.streamsOfAnApp),
            "apps in the event streams of a device": Int64(EventHub.appsOfADevice),
            "apps in an event stream": Int64(StreamedApps.count),
            "bytes of a request for events": Int64(EventRoutes.bodyLimit),
            "seconds for the first head": seconds(server.headDeadline),
            "seconds for a body": seconds(server.bodyDeadline),
            "seconds for the rest of a refused body": seconds(server.refusedBodyDeadline),
            "seconds for a package of hosted content": seconds(server.uploadDeadline),
            "packages of hosted content that arrive at a time": Int64(server.uploads),
            "packages of hosted content of a team that arrive at a time": Int64(server.uploadsOfATeam),
            "bytes after the end of a form with hosted content": Int64(MultipartStream.mostBytesAfterEnd),
            "bytes that packages of hosted content leave free on the disk": IncomingFile.reserve,
            "versions of hosted content of a page of Connect": Int64(HostingTeamContent.pageSize),
            "seconds between two requests": seconds(server.idleDeadline),
            "seconds that a response may stay unread": seconds(server.writeDeadline),
            "seconds for requests under way when the store stops": seconds(server.stopDeadline),
            "bytes of a head": Int64(server.headBytes),
            "fields of a head": Int64(server.headFields),
            "bytes of all bodies in memory": Int64(server.bufferedBytes),
            "bytes of the bodies of an address in memory": Int64(server.bufferedBytesOfAnAddress),
            "requests of a connection that wait for their responses": Int64(server.pipelinedRequests),
            "bytes of a message": Int64(DeviceRoutes.bodyLimit(.payments)),
            "bytes of a key-value message": Int64(DeviceRoutes.bodyLimit(.keyValues)),
            "bytes of a /verifyReceipt request": Int64(VerifyReceiptRoutes.bodyLimit),
            "bytes of a request to the App Store Server API": Int64(ServerBody.limit),
            "bytes of a form": Int64(CustomerForm.limit),
            "bytes of a form of Connect": Int64(ConnectForm.limit),
            "bytes of a file of Connect": Int64(AppUpload.largest),
            "bytes of a form of Connect with a file": Int64(AppFilePage.formLimit),
            "characters of a text of a file of Connect": Int64(AppFileDiff.longestText),
            "rows of a table of Connect": Int64(CSVText.mostRows),
            "columns of a table of Connect": Int64(CSVText.mostColumns),
            "bytes of a cell of a table of Connect": Int64(CSVText.longestCell),
            "bytes of an offer's identifier in Connect": Int64(OfferValues.longestIdentifier),
            "characters of a name for codes": Int64(CodeValues.longestName),
            "seconds for which codes can be downloaded": seconds(CodeSeed.lifetime),
            "days until a scheduled price of Connect": Int64(PriceValues.mostDays),
            "days until an item is sold": Int64(Item.Values.mostDays),
            "versions of an app": Int64(AppVersion.most),
            "characters of a version of an app": Int64(AppVersion.longest),
            "bytes of an image of Connect": Int64(RegistrationImage.largest),
            "bytes of a form of Connect with an image": Int64(ImageForms.formLimit),
            "pixels of a side of a screenshot": Int64(RegistrationImage.longest),
            "characters of a contract": Int64(Contract.longest),
            "versions of the contract": Contract.versions,
            "characters of a name in a bank or tax form": Int64(Payee.longestName),
            "characters of an address in a tax form": Int64(Payee.longestAddress),
            "characters of a tax number": Int64(Payee.longestNumber),
            "seconds of a propagation delay": Int64(Propagation.longestSeconds),
            "users of a team": Int64(Team.users),
            "open invitations of a team": Int64(Team.invitations),
            "characters of a team's name": Int64(Team.longestName),
            "characters of a user's name": Int64(TeamUser.longestName),
            "characters of a user's shortest password": Int64(TeamUser.shortestPassword),
            "seconds of a session of Connect": seconds(TeamSession.lifetime),
            "recovery codes of a user": Int64(RecoveryCode.count),
            "addresses of a set-up that can be used": Int64(TeamLink.setUps),
            "characters of a value in the log of changes": Int64(TeamChange.longest),
            "words of a search in Connect": Int64(SearchText.mostWords),
            "bytes of a search in Connect": Int64(SearchText.longest),
            "bytes of the log that a search reads": Int64(ReadingTeam.searchedBytes),
            "entries of the log that a search reads": Int64(ReadingTeam.searched),
            "requests to Connect that are answered at a time": Int64(RequestLimits.answered),
            "requests of a team to Connect that are answered at a time": Int64(RequestLimits.answeredOfATeam),
            "requests of a user, or a key, to Connect that are answered at a time": Int64(
                RequestLimits.answeredOfAUser),
            "users, or changes, of a page of Connect": Int64(ReadingTeam.pageSize),
            "wrong passwords of a user of Connect without a pause": SignInThrottle.Subject.Kind.teamUser.freeTries,
            "apps of a team": Int64(AppRegistration.limit),
            "languages of a product in a configuration file": Int64(Product.Localization.limit),
            "products of an app in Connect": Int64(ProductRegistration.limit),
            "bytes of an app's texts, prices and offers in Connect": Int64(AppCatalogue.largest),
            "groups of an app in Connect": Int64(SubscriptionGroup.limit),
            "languages of an app's files in Connect": Int64(AppFileDiff.mostLanguages),
            "batches of an app's codes in a quarter": Int64(OfferCodeBatch.mostBatches),
            "characters of an app's name in Connect": Int64(AppRegistration.nameLengths.upperBound),
            "bytes of a SKU": Int64(AppRegistration.longestSKU),
            "bytes of a bundle identifier in Connect": Int64(AppRegistration.longestBundleIdentifier),
            "bytes of a product identifier in Connect": Int64(ProductRegistration.longestIdentifier),
            "characters of a reference name": Int64(ProductRegistration.longestReferenceName),
            "characters of a display name": Int64(ProductRegistration.longestTitle),
            "characters of a description": Int64(ProductRegistration.longestDescription),
            "characters of a note for the review": Int64(ProductReview.longestNote),
            "characters of a rejection's reason": Int64(ProductReview.longestReason),
            "products of a page of the review's queue": Int64(ReviewingProducts.pageSize),
            "bytes of a message to a customer": Int64(ChildProgram.longestInput),
            "messages to an address without a pause": SignInThrottle.Subject.Kind.messages.freeTries,
            "messages to new addresses by an account without a pause":
                SignInThrottle.Subject.Kind.messagesOfAccount.freeTries,
            "messages to a parent without a pause": SignInThrottle.Subject.Kind.requests.freeTries,
            "messages that wait": Int64(MailOrder.mostWaiting),
            "characters of a name in a message to a parent": Int64(ChildMessage.longestName),
            "messages that a network address orders at a time": Int64(requests.messages.burst),
            "bytes of a name that is shared with a seller": Int64(SharedContact.longestName),
            "bytes of an e-mail address": Int64(Account.longestEmail),
            "bytes of a customer's name": Int64(Account.longestName),
            "bytes of a customer's language": Int64(Account.longestLocale),
            "sessions of an account in browsers": Int64(BrowserSession.limit),
            "bytes of a browser's name": Int64(BrowserSession.longestBrowser),
            "bytes of a postcode that is shared with a seller": Int64(SharedContact.longestPostcode),
            "bytes of a comment on a refund": Int64(RefundRequest.longestComment),
            "purchases of a page": Int64(ReadingPurchaseHistory.pageSize),
            "requests for refunds of an answer": Int64(DecidingRefund.pageSize),
            "bytes of a notification address": Int64(NotificationAddress.longest),
            "notification addresses of an app in an environment": Int64(NotificationAddress.most),
            "notification addresses to which a process sends at a time": Int64(SendingNotifications.busyAddresses),
            "notification addresses of a team to which a process sends at a time": Int64(
                SendingNotifications.busyAddressesOfATeam),
            "notifications of an answer": Int64(ListingNotifications.pageSize),
            "seconds of an attempt to send a notification": NotificationDelivery.timeLimit.components.seconds,
            "contacts in a table": Int64(ReadingTeamContacts.tableSize),
            "contacts of an answer": Int64(ListingContacts.pageSize),
            "bytes of a remote control request": Int64(ControlRoutes.bodyLimit),
            "bytes of a catalogue's import, and of an item": Int64(ControlRoutes.importLimit),
            "bytes of the images of an item": Int64(ItemArtwork.largest),
            "screenshots of an item": Int64(ItemArtwork.screenshots),
            "items of a team that its users register": Int64(RegisteringItem.limit),
            "characters of an item's title": Int64(Item.longestTitle),
            "characters of an item's description": Int64(Item.longestDescription),
            "characters of an item's version": Int64(Item.longestVersion),
            "languages of an item": Int64(Item.languages),
            "bytes of an item's link": Int64(Item.longestLink),
            "items of an answer": Int64(ListingItems.pageSize),
            "promoted products of an app": Int64(PromotedProduct.limit),
            "bytes of a token in a link": Int64(CampaignTokens.bytes.upperBound),
            "products in the query of an item's page": Int64(ItemQueryName.count),
            "campaigns of an answer": Int64(CountingCampaigns.pageSize),
            "bytes of an OCSP request": Int64(OCSPRoutes.bodyLimit),
            "bytes of an identifier": Int64(Identifier.bytes.upperBound),
            "bytes of a request identifier": Int64(RequestIdentifierText.bytes.upperBound),
            "bytes of an application's user name": Int64(Username.bytes.upperBound),
            "bytes of the JWS of an offer": Int64(CompactJWS.bytes.upperBound),
            "largest number in a message": largestNumber,
            "languages of a customer": Int64(Languages.count),
            "products of a request": Int64(ProductIdentifiers.count),
            "transactions of a request for receipts": Int64(TransactionIdentifiers.count),
            "writes of a key-value message": Int64(KeyValueWrites.count),
            "removed keys that are kept": Int64(KeyValueLimits.keys),
            "password checks that wait": Int64(PasswordHashing.places),
            "more of them for accounts on their own device": Int64(PasswordHashing.preferredPlaces),
            "password checks of a device, or of an address on the page of subscriptions, that wait": Int64(
                PasswordHashing.placesOfAnOrigin),
            "wrong passwords of an account without a pause": SignInThrottle.Subject.Kind.account.freeTries,
            "wrong passwords of a device without a pause": SignInThrottle.Subject.Kind.device.freeTries,
            "wrong passwords on a sheet": SigningIn.triesOnASheet,
            "wrong codes of an account without a pause": SignInThrottle.Subject.Kind.codesOfAccount.freeTries,
            "wrong codes on a device without a pause": SignInThrottle.Subject.Kind.codesOnDevice.freeTries,
            "codes of a batch": Int64(OfferCodeBatch.largest),
            "scheduled prices of an app": Int64(SchedulingPriceChange.limit),
            "seconds of the longest pause": seconds(SignInThrottle.longestPause),
            "writes that wait for the database": Int64(WaitingLimits().writes),
            "reads that wait for the database": Int64(WaitingLimits().reads),
            "bytes of a token of a seller's server": Int64(JSONWebToken.longest),
            "valid keys of a team": Int64(TeamKey.limit),
            "characters of a key's name in Connect": Int64(TeamKey.longestName),
            "values of a parameter of a history": Int64(HistoryQuery.mostValues),
            "bytes of a body of Connect's API": Int64(ConnectBody.limit),
            "requests of a team's programs at a time": Int64(requests.connectRequests.burst),
            "requests of an app's servers at a time": Int64(requests.serverRequests.burst),
            "new devices of an address at a time": Int64(requests.registrations.burst),
            "wrong passwords of an address at a time": Int64(requests.wrongPasswords.burst),
            "wrong shared secrets of an address for an app at a time": Int64(requests.wrongSecrets.burst),
        ]
    }

    @Test("The table of the threat model has every limit of the code, and no other")
    func table() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/threat-model.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return line.hasPrefix("| `") && cells.count >= 2
                ? (cells[0].trimmingCharacters(in: ["`"]), Int64(cells[1])) : nil
        }
        let table = Dictionary(rows) { first, _ in first }
        #expect(rows.count == table.count)
        #expect(Set(table.keys) == Set(Self.limits.keys))
        for (name, limit) in Self.limits { #expect(table[name] == limit, "\(name)") }
    }
}
