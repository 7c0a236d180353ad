// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import Testing

@testable import StoreAgent

struct JournalEntryTests {
    private let now: Int64 = 1_700_000_000_000

    private func payment(_ inputs: JournalEntry.Input...) throws -> JournalEntry {
        var entry = JournalEntry.payment(.apple, request: "r", sequence: 1, adder: "p", now: now)
        for input in inputs { try entry.handle(input, now: now) }
        return entry
    }

    private func purchased(_ question: Int64 = 1) -> JournalEntry.Input {
        .answered(
            PaymentCall.Answer(status: .purchased, transaction: .apple(request: "r"), position: .at(5)),
            question: question)
    }

    /// The entry after an input that gives the synchronizer nothing to send.
    private func handling(_ input: JournalEntry.Input, _ entry: JournalEntry) throws -> JournalEntry {
        var entry = entry
        #expect(try entry.handle(input, now: now) == .nothing)
        return entry
    }

    @Test("Only the first attempt may fail without a network") func onlyTheFirstAttemptMayFailAtOnce() throws {
        var entry = try payment()

        #expect(try entry.handle(.send(mayFailAtOnce: true), now: now) == .ask(mayFailAtOnce: true))
        #expect(entry.phase == .sending)
        #expect(try entry.handle(.send(mayFailAtOnce: true), now: now) == .ask(mayFailAtOnce: false))
        #expect(entry.phase == .sending)
    }

    @Test(
        "A lost connection fails a first attempt that wasn't sent, and repeats every other",
        arguments: [
            (ConnectionFailure.Reach.notSent, true, JournalEntry.Phase.failed, JournalEntry.Next.nothing),
            (.notSent, false, .sending, .retry), (.unanswered, true, .sending, .retry),
            (.unanswered, false, .sending, .retry),
        ])
    func lostConnectionFailsOrRepeats(
        _ reach: ConnectionFailure.Reach, _ first: Bool, _ phase: JournalEntry.Phase, _ next: JournalEntry.Next
    ) throws {
        let failure = PurchaseFailure(.unknown, "no route")
        var entry = try payment(.send(mayFailAtOnce: true))

        #expect(try entry.handle(.unreachable(reach, failure, mayFailAtOnce: first), now: now) == next)
        #expect(entry.phase == phase)
    }

    @Test(
        "A store that can't answer now is asked again",
        arguments: [StoreFailure.Code.unavailable, .throttled, .internalError, .unreadableAnswer])
    func storeThatCannotAnswerNowIsAskedAgain(_ code: StoreFailure.Code) throws {
        var entry = try payment(.send(mayFailAtOnce: true))

        #expect(try entry.handle(.refused(StoreFailure(code, "")), now: now) == .retry)
        #expect(entry.isOpen)
    }

    @Test("A payment that has to be confirmed waits, and its sheet is presented")
    func paymentThatHasToBeConfirmedPresentsItsSheet() throws {
        var entry = try payment(.send(mayFailAtOnce: true))
        let answer = PaymentCall.Answer(status: .authorise, sheet: "http://store.example/sheet/1")

        let next = try entry.handle(.answered(answer, question: 0), now: now)
        #expect(next == .present(sheet: "http://store.example/sheet/1"))
        #expect(entry.phase == .waiting)
        #expect(entry.sheet == "http://store.example/sheet/1")
    }

    @Test("A payment with an unknown status waits") func unknownStatusIsNotDecided() throws {
        let answer = PaymentCall.Answer(status: PaymentStatus(rawValue: "pondering"))
        let entry = try handling(.answered(answer, question: 0), payment(.send(mayFailAtOnce: true)))

        #expect(entry.phase == .waiting)
        #expect(entry.shown?.state == .purchasing)
    }

    @Test("A purchase is shown when its account's receipt is new enough")
    func purchaseIsShownWhenAReceiptIsNewEnough() throws {
        let entry = try payment(.send(mayFailAtOnce: true), purchased())

        #expect(entry.shown?.state == .purchasing)
        #expect(entry.awaitedReceipt == .at(5))
        #expect(try handling(.receipt(.at(4)), entry) == entry)
        #expect(try handling(.receipt(EventPosition(account: "other", number: 9)), entry) == entry)
        let ready = try handling(.receipt(.at(5)), entry)
        #expect(ready.phase == .ready)
        #expect(ready.awaitedReceipt == nil)
        #expect(ready.shown?.state == .purchased)
    }

    @Test("A purchase without a transaction has left the store's queue, and leaves the journal")
    func purchaseThatHasLeftTheStoresQueueLeavesTheJournal() throws {
        let answer = PaymentCall.Answer(status: .purchased)
        let entry = try handling(.answered(answer, question: 1), payment(.send(mayFailAtOnce: true)))

        #expect(entry.phase == .removed)
        #expect(entry.shown == nil)
    }

    @Test("Late inputs don't change a purchase that is shown") func nothingDecidesAnEntryTwice() throws {
        let decided = try payment(.send(mayFailAtOnce: true), purchased(), .receipt(.at(5)))
        let late: [JournalEntry.Input] = [
            purchased(), .refused(StoreFailure(.invalid, "")), .impossible(PurchaseFailure(.unknown, "")),
            .unreachable(.notSent, PurchaseFailure(.unknown, ""), mayFailAtOnce: true),
            .arrived(.apple(request: "r"), .at(5), question: 1), .send(mayFailAtOnce: true),
            .answered(PaymentCall.Answer(status: .failed), question: 1), .receipt(.at(6)), .withdraw,
        ]
        for input in late { #expect(try handling(input, decided) == decided) }
    }

    @Test("A finished entry stays in the journal until a later snapshot omits it")
    func finishedEntryIsRememberedUntilALaterSnapshotOmitsIt() throws {
        let ready = try payment(.send(mayFailAtOnce: true), purchased(), .receipt(.at(5)))

        #expect(ready.shown != nil)
        let finished = try handling(.finish(isDelivered: false), ready)
        #expect(finished.phase == .finished)
        #expect(finished.shown == nil)
        #expect(try handling(.omitted(account: "account", question: 9), finished) == finished)
        #expect(try handling(.arrived(.apple(), .at(5), question: 9), finished) == finished)
        #expect(try handling(.finish(isDelivered: true), finished) == finished)
        #expect(try handling(.removed, finished) == finished)
        let confirmed = try handling(.confirmed(question: 9), finished)
        #expect(confirmed.phase == .confirmed)
        #expect(confirmed.shown == nil)
        #expect(try handling(.finish(isDelivered: true), confirmed) == confirmed)
        #expect(try handling(.omitted(account: "account", question: 9), confirmed) == confirmed)
        #expect(try handling(.omitted(account: "account", question: 10), confirmed).phase == .removed)
    }

    @Test("A store that sends a confirmed transaction again has lost the finish, which is sent again")
    func lostFinishIsSentAgain() throws {
        let confirmed = try payment(
            .send(mayFailAtOnce: true), purchased(), .receipt(.at(5)), .finish(isDelivered: true),
            .confirmed(question: 9))

        #expect(try handling(.arrived(.apple(), .at(5), question: 9), confirmed) == confirmed)
        let finished = try handling(.arrived(.apple(), .at(5), question: 10), confirmed)
        #expect(finished.phase == .finished)
        #expect(finished.shown == nil)
    }

    @Test("A snapshot that was asked for before the purchase doesn't remove it")
    func snapshotThatWasAskedForBeforeThePurchaseRemovesNothing() throws {
        let entry = try payment(.send(mayFailAtOnce: true), purchased(3), .receipt(.at(5)))

        #expect(try handling(.omitted(account: "account", question: 3), entry) == entry)
        let removed = try handling(.omitted(account: "account", question: 4), entry)
        #expect(removed.phase == .removed)
        #expect(removed.shown == nil)
    }

    @Test("A restored transaction stays as long as its account is signed in")
    func restoredTransactionStaysAsLongAsItsAccountIsSignedIn() throws {
        var entry = JournalEntry.unasked(.restored("2"), sequence: 1, now: now)
        entry = try handling(.arrived(.restored("2"), .at(5), question: 1), entry)
        #expect(entry.awaitedReceipt == .at(5))
        #expect(entry.shown == nil)
        entry = try handling(.receipt(.at(5)), entry)

        #expect(entry.shown?.state == .restored)
        #expect(try handling(.omitted(account: "account", question: 2), entry) == entry)
        for input in [
            JournalEntry.Input.receipt(.init(account: "other", number: 9)), .omitted(account: "other", question: 2),
        ] {
            let removed = try handling(input, entry)
            #expect(removed.phase == .removed)
            #expect(removed.shown == nil)
        }
    }

    @Test("A purchase waits for its account, and can be finished meanwhile")
    func purchaseWaitsForItsAccountAndCanBeFinishedMeanwhile() throws {
        let ready = try payment(.send(mayFailAtOnce: true), purchased(), .receipt(.at(5)))
        #expect(ready.shown?.state == .purchased)

        let away = try handling(.omitted(account: "other", question: 2), ready)
        #expect(away.phase == .away)
        #expect(away.shown == nil)
        #expect(try handling(.omitted(account: nil, question: 3), away) == away)
        let finished = try handling(.finish(isDelivered: false), away)
        #expect(finished.phase == .finished)
        #expect(try handling(.arrived(.apple(), .at(5), question: 4), finished) == finished)

        let returning = try handling(.arrived(.apple(), .at(6), question: 4), away)
        #expect(returning.phase == .returning)
        #expect(returning.awaitedReceipt == .at(6))
        // The transaction was purchased already, so it isn't shown as purchasing.
        #expect(returning.shown == nil)
        #expect(try handling(.finish(isDelivered: false), returning).phase == .finished)
        let left = try handling(.omitted(account: nil, question: 5), returning)
        #expect(left.phase == .away)
        #expect(left.awaitedReceipt == nil)
        #expect(left.shown == nil)

        let again = try handling(.receipt(.at(6)), returning)
        #expect(again.phase == .ready)
        #expect(again.shown?.state == .purchased)
        let awayAgain = try handling(.omitted(account: "other", question: 5), again)
        #expect(awayAgain.phase == .away)
        #expect(awayAgain.shown == nil)
        #expect(try handling(.omitted(account: "account", question: 6), awayAgain).phase == .removed)
    }

    @Test("A purchase that waits for its receipt can be finished only if the app has received it")
    func purchaseThatTheAppHasDeliveredCanBeFinishedWhileItsReceiptIsAwaitedAgain() throws {
        var entry = try payment(.send(mayFailAtOnce: true), purchased())
        let arrived = entry

        #expect(throws: AgentError(.notFinishable, "")) {
            try entry.handle(.finish(isDelivered: false), now: now)
        }
        #expect(entry == arrived)
        let finished = try handling(.finish(isDelivered: true), arrived)
        #expect(finished.phase == .finished)
        #expect(finished.shown == nil)
    }

    @Test("A purchase takes the lower number of a store that was restored from a backup")
    func purchaseTakesTheLowerNumberOfAStoreThatWasRestored() throws {
        let entry = try payment(.send(mayFailAtOnce: true), purchased())

        #expect(try handling(.arrived(.apple(), .at(6), question: 2), entry) == entry)
        let lower = try handling(.arrived(.apple(), .at(3), question: 2), entry)
        #expect(lower.phase == .arrived)
        #expect(lower.awaitedReceipt == .at(3))
        let ready = try handling(.receipt(.at(3)), lower)
        #expect(ready.phase == .ready)
        #expect(ready.shown?.state == .purchased)
    }

    @Test("A failed payment leaves the journal when it is finished")
    func failedPaymentIsForgottenWhenFinished() throws {
        let entry = try handling(.refused(StoreFailure(.invalid, "")), payment(.send(mayFailAtOnce: true)))

        #expect(entry.shown?.state == .failed)
        let removed = try handling(.finish(isDelivered: false), entry)
        #expect(removed.phase == .removed)
        #expect(removed.shown == nil)
    }

    @Test("A deferred payment can be purchased later") func deferredPaymentIsPurchasedLater() throws {
        let answer = PaymentCall.Answer(status: .deferred)
        let entry = try handling(.answered(answer, question: 0), payment(.send(mayFailAtOnce: true)))

        #expect(entry.shown?.state == .deferred)
        #expect(try handling(.answered(answer, question: 0), entry) == entry)
        let arrived = try handling(purchased(), entry)
        #expect(arrived.phase == .arrived)
        #expect(arrived.awaitedReceipt == .at(5))
    }

    @Test("The process that added or holds an entry has the first claim to it while it observes")
    func processThatAskedHasTheFirstClaimWhileItLives() throws {
        var entry = try payment()

        #expect(!Claim(process: "q", observers: ["p", "q"]).mayTake(entry))
        #expect(Claim(process: "q", observers: ["q"]).mayTake(entry))
        entry.holder = "q"
        #expect(!Claim(process: "p", observers: ["p", "q"]).mayTake(entry))
        #expect(Claim(process: "p", observers: ["p"]).mayTake(entry))
        // A purchase in "q" has returned it, and "q" observes no more.
        #expect(!Claim(process: "p", observers: ["p"], keepers: ["q"]).mayTake(entry))
        // "q" keeps no entry that it doesn't hold.
        (entry.adder, entry.holder) = ("q", nil)
        #expect(Claim(process: "p", observers: ["p"], keepers: ["q"]).mayTake(entry))
    }
}
