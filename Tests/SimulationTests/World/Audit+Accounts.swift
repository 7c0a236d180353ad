// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// Checks of purchases, prices, ownership and stored values.
extension Audit {
    func nothingIsSoldToTheBarred() {
        for account in world.accounts {
            for charge in books.charges where charge.account == account.account.identifier.rawValue {
                let isBarred = account.barred.contains {
                    $0.lowerBound + world.store.tolerance < charge.confirmed
                        && charge.confirmed < $0.upperBound - world.store.tolerance
                }
                if isBarred {
                    witness.complain("\(charge.transaction) was sold to \(account.account.email), who was barred")
                }
            }
        }
    }

    /// Every confirmed purchase has a price that a page has shown.
    func pricesWereShown() {
        for charge in books.charges
        where charge.price.milliunits > 0 && !charge.isRenewal && !charge.wasDeferred && !charge.wasInterrupted {
            if world.absent.contains(where: { $0.has(charge.device) }) { continue }
            let shown = witness.prices[charge.request] ?? []
            if !shown.contains(charge.price) {
                witness.complain("\(charge.transaction) was charged with \(charge.price), which no page has shown")
            }
        }
    }

    /// Buying an owned product again is free, and refers to the first
    /// purchase as its original. Every other purchase but of seeds has a
    /// price.
    func whatIsOwnedCostsNothing() {
        for charge in books.charges where charge.isOwnedOnce && charge.original != charge.transaction {
            let first = books.charges.first { $0.transaction == charge.original }
            if charge.price.milliunits != 0 || first?.original != charge.original
                || first?.product != charge.product || first?.bundle != charge.bundle
                || first?.account != charge.account
            {
                witness.complain("\(charge.transaction) is no second purchase of \(charge.original)")
            }
        }
        for charge in books.charges where charge.original == charge.transaction && charge.price.milliunits == 0 {
            if charge.source != nil { continue }
            // The prices of periods with offers are checked by their events.
            if charge.isPeriod, world.sellsOffers { continue }
            if !["seed", "free"].contains(charge.product) { witness.complain("\(charge.transaction) was a present") }
        }
    }

    /// A device that has applied a revocation shows the transaction no more.
    func revokedTransactionsLeave() {
        for finish in witness.finishes {
            guard let revoked = books.revocations[finish.transaction], revoked.account == finish.told.account,
                revoked.account == finish.finished.account, finish.told.number < revoked.number,
                revoked.number <= finish.finished.number, !books.reinstated.contains(finish.transaction)
            else { continue }
            witness.complain("\(finish.transaction) was in the queue of \(finish.place) after its revocation")
        }
    }

    func valuesAreTheLastOnes() {
        witness.keyValues.check(books.keyValues, signedIn: Set(books.accounts.keys))
    }
}
