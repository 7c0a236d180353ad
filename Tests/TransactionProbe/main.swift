// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

// An app that uses StoreKit 2; Tests/Processes/transaction_app.py starts it.
// It prints a line of JSON for each update, and one for each command, which
// is a line of standard input. It ends when its input ends. With the argument
// --quiet it listens to no updates.
//
//     buy PRODUCT [UUID]                 buys a product, and leaves its transaction unfinished
//     finish NUMBER                      finishes an unfinished transaction
//     all | unfinished | entitlements    lists transactions
//     statuses GROUP                     lists the subscriptions of a group
//     sync                               fetches the customer's transactions

if !CommandLine.arguments.contains("--quiet") {
    Task {
        for await result in Transaction.updates { Line(event: .update, transactions: [Shown(result)]).print() }
    }
    Task {
        for await status in Product.SubscriptionInfo.Status.updates {
            Line(event: .status, statuses: [ShownStatus(status)]).print()
        }
    }
}

let (commands, input) = AsyncStream.makeStream(of: String.self)
let reader = Thread {
    while let line = readLine() { input.yield(line) }
    input.finish()
}
reader.start()
for await command in commands { await Commands.answer(command).print() }
exit(0)
