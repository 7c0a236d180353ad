// SPDX-License-Identifier: Apache-2.0

/// A mistake that is planted in a world: checks that don't find it wouldn't
/// find a bug with the same effect.
enum Mistake: CaseIterable, Sendable {
    /// Flushes of the store's disk report success without effect: purchases
    /// are lost after they were answered.
    case storeDiskLies
    /// Flushes of the devices' disks report success without effect: finishes
    /// are lost, and receipts are half written.
    case deviceDisksLie
    /// A payment has another request identifier each time that it is sent, as
    /// if the store didn't recognise repeated requests.
    case requestsAreForgotten
    /// Every process treats the others as ended, and delivers their
    /// transactions.
    case processesDenyEachOther
    /// The payment provider charges again when a payment number is repeated.
    case providerForgets
    /// Devices send payments although they are restricted.
    case restrictionsAreIgnored
    /// Pages confirm a purchase without the price that they have shown.
    case pagesForgetPrices
    /// Receipts disappear without being removed by a person.
    case receiptsVanish
    /// The first write of each key-value message is lost on its way.
    case valuesAreLost
    /// The store accepts every value as a new one, even if the message is a
    /// repeat.
    case valuesAreRepeated
    /// The agent doesn't notice that a receipt was removed.
    case removalsAreOverlooked
    /// Each restore lacks one product.
    case restoresForget
    /// Payments fail with a wrong error code.
    case errorsAreMixedUp
    /// Devices don't receive the event that their account has moved to
    /// another country.
    case movesAreForgotten
    /// The apps of a device receive one another's transactions.
    case appsAreMixedUp
    /// Processes of the store take up payments on which others have a lease.
    case leasesAreIgnored
    /// The store announces that a request's answer has changed, and doesn't
    /// store the hint.
    case hintsAreNotStored
    /// Each revocation of a chain's transaction names the original one.
    case revocationsNameTheOriginal
    /// The store believes two answers to a payment: the decline, and the
    /// authorisation that comes later.
    case lateAnswersAreBelieved
    /// The store hands a consumable over to another device, and doesn't remove
    /// it from the queue of the first one.
    case handedOverConsumablesStay

    /// The daemon accepts an app, and doesn't synchronize it.
    case daemonsStandStill
    /// An app doesn't notice that the daemon has ended.
    case handoversHang
    /// The daemon finishes transactions that no app has received.
    case daemonsFinish
    /// All apps that join the daemon's event stream take the newest of their
    /// positions.
    case joiningAppsTakePositions
    /// An event of each app is lost when the daemon's stream begins again.
    case switchesLoseEvents

    /// A renewal whose answer was lost is charged under another number.
    case renewalsAreChargedTwice
    /// The step after some periods is never carried out.
    case stepsAreLost
    /// A renewal is dated when it is made instead of when it was due.
    case dueMomentsAreForgotten
    /// A renewal reaches only one of the account's devices.
    case renewalsReachOneDevice
    /// The store doesn't write down that a renewal was turned off.
    case renewalsGoOn
    /// The amount that was set aside for the next period isn't released when
    /// the plan changes or the renewal is turned off.
    case authorisationsAreKept
    /// The next period is charged again, although an amount was set aside for
    /// it.
    case authorisationsAreForgotten
    /// A restore brings only the first period of each subscription.
    case periodsAreNotRestored
    /// Processes of the store renew subscriptions whose payments others have a
    /// lease on.
    case renewalLeasesAreIgnored

    /// The uses of codes aren't counted.
    case codesAreNotCounted
    /// A code whose payment was declined stays used.
    case codesAreNotGivenBack
    /// The store doesn't write down that an account has had an introductory
    /// offer.
    case introductionsAreRepeated
    /// The store charges a higher price as if every customer had agreed.
    case consentIsAssumed
    /// The periods of an offer aren't counted: it never ends.
    case offersNeverEnd

    /// Incomplete files of a download stay after its end.
    case partialFilesStay
    /// The store sends bytes from a place before the one that a device asks
    /// for, as if the resumed transfer counted bytes that were lost.
    case resumedRangesAreShifted
    /// The files of a finished content aren't flushed to the disk.
    case contentIsNotSynchronised
    /// A content with an altered byte is finished, as if checksums weren't
    /// verified.
    case damagedContentIsInstalled
    /// The store finds the content of another app's product.
    case contentsOfAppsAreMixedUp

    /// The child that has asked is charged instead of the parent who has
    /// approved.
    case childrenPay
    /// The store doesn't write down that a member has joined or left.
    case familyChangesAreForgotten
    /// The record that a parent has to be notified stays after that.
    case parentsAreNotifiedAgain

    /// The pages of signed transactions lack refunds: the purchases stay
    /// entitlements.
    case refundsAreNotPaged
    /// The listeners of a process share the updates, so that one of them
    /// receives each.
    case updatesReachOneListener
    /// The place of a page of signed transactions is saved before the page: a
    /// process that ends between them skips the page.
    case pagesAreSkipped
    /// A finish by StoreKit 2 leaves the transaction in the payment queue.
    case finishesStayInTheQueue
    /// The last value of each page of signed transactions has a wrong signature.
    case signaturesAreDamaged
    /// A process forgets that a purchase has returned a transaction.
    case returnedPurchasesAreForgotten
    /// A listener receives an update of the customer who was signed in before.
    case updatesOutliveTheirCustomer

    // Ten ways in which an account paid without an agreement of its owner, before
    // they were mended.

    /// A child who is a subscriber chooses without a parent, and the parent who
    /// has paid before pays.
    case choicesAreNotAsked
    /// The page of a family names the price of today, and no later one.
    case approvalsHideTerms
    /// Who has left the family, or is closed, pays the renewals on.
    case leaversPay
    /// Accounts whose payments are restricted pay.
    case barredAccountsPay
    /// The first payer of a subscription pays it on, after another parent has
    /// approved it.
    case formerApproversPay
    /// The terms of a subscription name the old price while a higher one waits.
    case increasesAreHidden
    /// A subscriber whose renewal is due counts as a former one.
    case duePeriodsAreOverlooked
    /// A contact is paid for with each purchase.
    case contactsAreSharedTwice
    /// An approval that the bank has declined waits again, also after its child
    /// has left the family.
    case declinedApprovalsWaitAgain
    /// A refund is taken back from an account that is closed.
    case closedAccountsPayBack

    /// Whether the mistake is one of agreements.
    var concernsAgreements: Bool {
        switch self {
        case .choicesAreNotAsked, .approvalsHideTerms, .leaversPay, .barredAccountsPay, .formerApproversPay,
            .increasesAreHidden, .duePeriodsAreOverlooked, .contactsAreSharedTwice, .declinedApprovalsWaitAgain,
            .closedAccountsPayBack:
            true
        default: false
        }
    }

    /// Whether the mistake has an effect only in worlds with StoreKit 2.
    var concernsTransactions: Bool {
        switch self {
        case .refundsAreNotPaged, .updatesReachOneListener, .pagesAreSkipped, .finishesStayInTheQueue,
            .signaturesAreDamaged, .returnedPurchasesAreForgotten, .updatesOutliveTheirCustomer:
            true
        default: false
        }
    }

    /// Whether the mistake has an effect only in worlds with offers.
    var concernsOffers: Bool {
        switch self {
        case .codesAreNotCounted, .codesAreNotGivenBack, .introductionsAreRepeated, .consentIsAssumed, .offersNeverEnd:
            true
        default: false
        }
    }

    /// Whether the mistake has an effect only in worlds with daemons.
    var concernsDaemons: Bool {
        switch self {
        case .daemonsStandStill, .handoversHang, .daemonsFinish, .joiningAppsTakePositions, .switchesLoseEvents: true
        default: false
        }
    }

    /// The worlds in which the mistake has an effect.
    var script: Script {
        if concernsOffers { return .subscriptions(moves: 15) }
        if concernsAgreements { return .agreements(100) }
        return switch self {
        case .renewalsAreChargedTwice, .stepsAreLost, .dueMomentsAreForgotten, .renewalsReachOneDevice, .renewalsGoOn,
            .authorisationsAreKept, .authorisationsAreForgotten, .periodsAreNotRestored, .renewalLeasesAreIgnored:
            .subscriptions(moves: 15)
        // Few transfers are resumed twice before the end, when the network is in order.
        case .resumedRangesAreShifted: .downloads(60)
        case .partialFilesStay, .contentIsNotSynchronised, .damagedContentIsInstalled,
            .contentsOfAppsAreMixedUp:
            .downloads(15)
        case .childrenPay, .familyChangesAreForgotten, .parentsAreNotifiedAgain: .families(15)
        case .refundsAreNotPaged, .updatesReachOneListener, .pagesAreSkipped, .finishesStayInTheQueue,
            .signaturesAreDamaged, .returnedPurchasesAreForgotten:
            .transactions(15)
        // Customers change seldom.
        case .updatesOutliveTheirCustomer: .transactions(30)
        default: .purchases(15)
        }
    }

    /// The first of the seeds that are played: those before are known to show
    /// nothing of the mistake.
    var firstSeed: UInt64 {
        switch self {
        case .hintsAreNotStored: 12
        case .returnedPurchasesAreForgotten: 11
        case .daemonsFinish: 8
        case .removalsAreOverlooked: 7
        case .providerForgets, .joiningAppsTakePositions: 5
        case .handedOverConsumablesStay: 4
        case .updatesOutliveTheirCustomer, .processesDenyEachOther, .leasesAreIgnored, .lateAnswersAreBelieved,
            .renewalsGoOn:
            3
        case .storeDiskLies, .appsAreMixedUp, .revocationsNameTheOriginal, .valuesAreRepeated,
            .renewalLeasesAreIgnored, .contentIsNotSynchronised:
            2
        default: 1
        }
    }
}
