// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import Testing

@testable import StoreAgent

struct QueueEntryTests {
    private let now: Int64 = 1_700_000_000_000

    private func payment(_ inputs: JournalEntry.Input...) -> JournalEntry {
        var entry = JournalEntry.payment(.apple, request: "r", sequence: 1, adder: "p", now: now)
        for input in inputs { _ = entry.handle(input, now: now) }
        return entry
    }

    private func purchased(_ question: Int64 = 1) -> JournalEntry.Input {
        .answered(
            PaymentCall.Answer(status: .purchased, transaction: .apple(request: "r"), position: .at(5)),
            question: question)
    }

    @Test("Only the first attempt may fail without a network") func onlyTheFirstAttemptMayFailAtOnce() {
        var entry = payment()

        #expect(entry.handle(.send(mayFailAtOnce: true), now: now) == [.ask(mayFailAtOnce: true)])
        #expect(entry.phase == .sending)
        #expect(entry.handle(.send(mayFailAtOnce: true), now: now) == [.ask(mayFailAtOnce: false)])
    }

    @Test(
        "A lost connection fails a first attempt that wasn't sent, and repeats every other",
        arguments: [
            (ConnectionFailure.Reach.notSent, true, JournalEntry.Phase.failed), (.notSent, false, .sending),
            (.unanswered, true, .sending), (.unanswered, false, .sending),
        ])
    func lostConnectionFailsOrRepeats(_ reach: ConnectionFailure.Reach, _ first: Bool, _ phase: JournalEntry.Phase) {
        let failure = PurchaseFailure(.unknown, "no route")
        let entry = payment(
            .send(mayFailAtOnce: true), .unreachable(reach, failure, mayFailAtOnce: first))

        #expect(entry.phase == phase)
    }

    @Test(
        "A store that can't answer now is asked again",
        arguments: [StoreFailure.Code.unavailable, .throttled, .internalError, .unreadableAnswer])
    func storeThatCannotAnswerNowIsAskedAgain(_ code: StoreFailure.Code) {
        var entry = payment(.send(mayFailAtOnce: true))

        #expect(entry.handle(.refused(StoreFailure(code, "")), now: now) == [.retry])
        #expect(entry.isOpen)
    }

    @Test("A payment with an unknown status waits") func unknownStatusIsNotDecided() {
        let answer = PaymentCall.Answer(status: PaymentStatus(rawValue: "pondering"))
        let entry = payment(.send(mayFailAtOnce: true), .answered(answer, question: 0))

        #expect(entry.phase == .waiting)
        #expect(entry.shown?.state == .purchasing)
    }

    @Test("A purchase is shown when its account's receipt is new enough")
    func purchaseIsShownWhenAReceiptIsNewEnough() {
        var entry = payment(.send(mayFailAtOnce: true), purchased())

        #expect(entry.shown?.state == .purchasing)
        #expect(entry.handle(.receipt(.at(4)), now: now).isEmpty)
        #expect(entry.handle(.receipt(EventPosition(account: "other", number: 9)), now: now).isEmpty)
        #expect(entry.handle(.receipt(.at(5)), now: now) == [.tellObservers])
        #expect(entry.shown?.state == .purchased)
    }

    @Test("Late inputs don't change a purchase that is shown") func nothingDecidesAnEntryTwice() {
        let decided = payment(.send(mayFailAtOnce: true), purchased(), .receipt(.at(5)))
        let late: [JournalEntry.Input] = [
            purchased(), .refused(StoreFailure(.invalid, "")), .impossible(PurchaseFailure(.unknown, "")),
            .unreachable(.notSent, PurchaseFailure(.unknown, ""), mayFailAtOnce: true),
            .arrived(.apple(request: "r"), .at(5), question: 1), .send(mayFailAtOnce: true),
            .answered(PaymentCall.Answer(status: .failed), question: 1), .receipt(.at(6)),
        ]
        for input in late {
            var entry = decided
            #expect(entry.handle(input, now: now).isEmpty)
            #expect(entry == decided)
        }
    }

    @Test("A finished entry stays in the journal until a later snapshot omits it")
    func finishedEntryIsRememberedUntilALaterSnapshotOmitsIt() {
        var entry = payment(.send(mayFailAtOnce: true), purchased(), .receipt(.at(5)))

        #expect(entry.handle(.finish(isDelivered: false), now: now) == [.tellObservers, .tellStore])
        #expect(entry.shown == nil)
        #expect(entry.handle(.omitted(account: "account", question: 9), now: now).isEmpty)
        #expect(entry.handle(.arrived(.apple(), .at(5), question: 9), now: now).isEmpty)
        #expect(entry.handle(.confirmed(question: 9), now: now).isEmpty)
        #expect(entry.handle(.omitted(account: "account", question: 9), now: now).isEmpty)
        #expect(entry.handle(.omitted(account: "account", question: 10), now: now) == [.forget])
    }

    @Test("A snapshot that was asked for before the purchase doesn't remove it")
    func snapshotThatWasAskedForBeforeThePurchaseRemovesNothing() {
        var entry = payment(.send(mayFailAtOnce: true), purchased(3), .receipt(.at(5)))

        #expect(entry.handle(.omitted(account: "account", question: 3), now: now).isEmpty)
        #expect(entry.handle(.omitted(account: "account", question: 4), now: now) == [.forget, .tellObservers])
    }

    @Test("A restored transaction stays as long as its account is signed in")
    func restoredTransactionStaysAsLongAsItsAccountIsSignedIn() {
        var entry = JournalEntry.unasked(.restored("2"), sequence: 1, now: now)
        _ = entry.handle(.arrived(.restored("2"), .at(5), question: 1), now: now)
        _ = entry.handle(.receipt(.at(5)), now: now)

        #expect(entry.shown?.state == .restored)
        #expect(entry.handle(.omitted(account: "account", question: 2), now: now).isEmpty)
        var other = entry
        #expect(other.handle(.receipt(.init(account: "other", number: 9)), now: now) == [.forget, .tellObservers])
        #expect(entry.handle(.omitted(account: "other", question: 2), now: now) == [.forget, .tellObservers])
    }

    @Test("A purchase waits for its account, and can be finished meanwhile")
    func purchaseWaitsForItsAccountAndCanBeFinishedMeanwhile() {
        var entry = payment(.send(mayFailAtOnce: true), purchased(), .receipt(.at(5)))

        #expect(entry.handle(.omitted(account: "other", question: 2), now: now) == [.tellObservers])
        #expect(entry.shown == nil)
        #expect(entry.handle(.omitted(account: nil, question: 3), now: now).isEmpty)
        var finished = entry
        #expect(finished.handle(.finish(isDelivered: false), now: now) == [.tellObservers, .tellStore])
        #expect(finished.handle(.arrived(.apple(), .at(5), question: 4), now: now).isEmpty)
        #expect(finished.phase == .finished)

        #expect(entry.handle(.arrived(.apple(), .at(6), question: 4), now: now) == [.fetchReceipt])
        // The transaction was purchased already, so it isn't shown as purchasing.
        #expect(entry.shown == nil)
        finished = entry
        #expect(finished.handle(.finish(isDelivered: false), now: now) == [.tellObservers, .tellStore])
        var left = entry
        #expect(left.handle(.omitted(account: nil, question: 5), now: now) == [.tellObservers])
        #expect(left.phase == .away)
        #expect(entry.handle(.receipt(.at(6)), now: now) == [.tellObservers])
        #expect(entry.shown?.state == .purchased)
        #expect(entry.handle(.omitted(account: "other", question: 5), now: now) == [.tellObservers])
        #expect(entry.handle(.omitted(account: "account", question: 6), now: now) == [.forget, .tellObservers])
    }

    @Test("A purchase that waits for its receipt can be finished only if the app has received it")
    func purchaseThatTheAppHasDeliveredCanBeFinishedWhileItsReceiptIsAwaitedAgain() {
        var entry = payment(.send(mayFailAtOnce: true), purchased())

        guard case .refuse = entry.handle(.finish(isDelivered: false), now: now).first else {
            Issue.record("no observer has received it in a final state")
            return
        }
        #expect(entry.handle(.finish(isDelivered: true), now: now) == [.tellObservers, .tellStore])
    }

    @Test("A purchase takes the lower number of a store that was restored from a backup")
    func purchaseTakesTheLowerNumberOfAStoreThatWasRestored() {
        var entry = payment(.send(mayFailAtOnce: true), purchased())

        #expect(entry.handle(.arrived(.apple(), .at(6), question: 2), now: now).isEmpty)
        #expect(entry.handle(.arrived(.apple(), .at(3), question: 2), now: now) == [.fetchReceipt])
        #expect(entry.handle(.receipt(.at(3)), now: now) == [.tellObservers])
    }

    @Test("A failed payment leaves the journal when it is finished") func failedPaymentIsForgottenWhenFinished() {
        var entry = payment(.send(mayFailAtOnce: true), .refused(StoreFailure(.invalid, "")))

        #expect(entry.shown?.state == .failed)
        #expect(entry.handle(.finish(isDelivered: false), now: now) == [.forget, .tellObservers])
    }

    @Test("A deferred payment can be purchased later") func deferredPaymentIsPurchasedLater() {
        var entry = payment(
            .send(mayFailAtOnce: true), .answered(PaymentCall.Answer(status: .deferred), question: 0))

        #expect(entry.shown?.state == .deferred)
        #expect(entry.handle(purchased(), now: now) == [.fetchReceipt])
    }

    @Test("The process that added or holds an entry has the first claim to it while it observes")
    func processThatAskedHasTheFirstClaimWhileItLives() {
        var entry = payment()

        #expect(!Claim(process: "q", observers: ["p", "q"]).mayTake(entry))
        #expect(Claim(process: "q", observers: ["q"]).mayTake(entry))
        entry.holder = "q"
        #expect(!Claim(process: "p", observers: ["p", "q"]).mayTake(entry))
        #expect(Claim(process: "p", observers: ["p"]).mayTake(entry))
    }
}
