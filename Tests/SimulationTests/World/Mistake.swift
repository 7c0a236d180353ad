// SPDX-License-Identifier: Apache-2.0

/// A part of a world that is wrong on purpose: checks that don't find it
/// wouldn't find a bug that does the same.
enum Mistake: CaseIterable, Sendable {
    /// The store's disk says that it has written what it hasn't: purchases
    /// are lost after they were answered.
    case storeDiskLies
    /// The devices' disks do: finishes are lost, and receipts half written.
    case deviceDisksLie
    /// A payment is another request each time that it is sent, as if the store
    /// forgot which ones it has answered.
    case requestsAreForgotten
    /// Every process takes the others for dead, and shows what they show.
    case processesDenyEachOther
    /// The payment provider charges once more for each number that is repeated.
    case providerForgets
    /// Devices go on paying when they are restricted.
    case restrictionsAreIgnored
    /// Pages don't say which price they have shown.
    case pagesForgetPrices
    /// Receipts vanish that nobody has removed.
    case receiptsVanish
    /// What apps write into the key-value store is lost on its way.
    case valuesAreLost
    /// The store takes every value that arrives for a new one, also one that
    /// has come before.
    case valuesAreRepeated
    /// Nobody sees that a receipt was removed.
    case removalsAreOverlooked
    /// Restores bring one thing less.
    case restoresForget
    /// Payments fail for another reason than they do.
    case errorsAreMixedUp
    /// Devices don't hear that their account has moved to another country.
    case movesAreForgotten
    /// The apps of a device are told of one another's transactions.
    case appsAreMixedUp
}
