// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Sees what apps write into the key-value store, and what arrives there.
final class KeyValueWitness {
    /// A value of an account.
    struct Scope: Hashable {
        var account: String
        var bundle: String
        var key: String
    }

    /// An app on a device, by the device's identifier.
    struct Writer: Hashable {
        var device: String
        var bundle: String
    }

    private struct Taken {
        var write: KeyValueWrite
        var number: Int64
    }

    /// The last write of each device that the store has taken, and the
    /// account's number after it.
    private var taken: [Scope: [String: Taken]] = [:]
    /// What has reached the store: it may have been taken without an answer,
    /// by a store that ended, for whichever account was signed in.
    private var heard: [Writer: [KeyValueWrite]] = [:]
    /// What was written last by each app and hasn't arrived yet.
    private var pending: [Writer: [String: String]] = [:]
    /// Until when what an app writes may go with the account that it was
    /// written for.
    private var forgiven: [Writer: Int64] = [:]
    private let complain: (String) -> Void

    init(complain: @escaping (String) -> Void) {
        self.complain = complain
    }

    /// An app begins to write a value. If its process ends, or the disk fails,
    /// it isn't told whether it has.
    func writes(_ key: String, by writer: Writer) {
        pending[writer]?[key] = nil
    }

    /// An app was told that its value is written down.
    func wrote(_ value: Data?, for key: String, by writer: Writer, now: Int64) {
        let isForgiven = (forgiven[writer] ?? 0) > now
        pending[writer, default: [:]][key] = isForgiven ? nil : value?.base64EncodedString()
    }

    /// A message has reached the store.
    func arrived(_ message: StoreMessage) {
        guard message.path == .keyValues, let call = try? StoreCoding.decode(KeyValuesCall.self, from: message.body)
        else { return }
        let writer = Writer(device: message.credentials.identifier, bundle: call.bundleIdentifier)
        for write in call.writes where heard[writer]?.contains(write) != true {
            heard[writer, default: []].append(write)
        }
    }

    /// The store has answered a device.
    func answered(_ message: StoreMessage, _ data: Data, now: Int64) {
        guard message.path == .keyValues, let call = try? StoreCoding.decode(KeyValuesCall.self, from: message.body),
            let answer = try? StoreCoding.decode(KeyValuesCall.Answer.self, from: data),
            let position = answer.position
        else { return }
        let account = position.account
        let writer = Writer(device: message.credentials.identifier, bundle: call.bundleIdentifier)
        if let known = call.position, known.account != account {
            // The device has yet to hear of it, and forgets what it has
            // written until then.
            pending[writer] = nil
            forgiven[writer] = now + 60_000
            return
        }
        for write in call.writes {
            let scope = Scope(account: account, bundle: call.bundleIdentifier, key: write.key)
            let last = taken[scope]?[writer.device]?.write.sequence ?? 0
            if write.sequence > last {
                taken[scope, default: [:]][writer.device] = Taken(write: write, number: position.number)
            }
            if pending[writer]?[write.key] == write.value { pending[writer]?[write.key] = nil }
        }
        for found in answer.values {
            lookForRepeats(
                found.value, in: Scope(account: account, bundle: call.bundleIdentifier, key: found.key),
                at: position.number)
        }
    }

    /// Looks whether what the store says was written by a device before
    /// another value, which the store had taken by then: a message that came
    /// twice has overwritten it.
    private func lookForRepeats(_ value: String?, in scope: Scope, at number: Int64) {
        guard let value else { return }
        for (writer, writes) in heard where writer.bundle == scope.bundle {
            guard let last = taken[scope]?[writer.device], number >= last.number,
                let write = writes.last(where: { $0.key == scope.key && $0.value == value }),
                write.sequence < last.write.sequence
            else { continue }
            complain("\(scope.key) of \(scope.bundle) is again what \(writer.device) had written before")
        }
    }

    /// What must be so when nothing is left to do.
    func check(_ values: [Scope: String?], signedIn: Set<String>) {
        for (scope, value) in values.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let last = taken[scope] ?? [:]
            let isLast = last.values.contains { $0.write.value == value } || isUnanswered(value, in: scope, last)
            if !isLast {
                complain("\(scope.key) of \(scope.bundle) isn't what any device has written last")
            }
        }
        for (writer, lost) in pending.sorted(by: { "\($0.key)" < "\($1.key)" }) where signedIn.contains(writer.device) {
            for (key, value) in lost.sorted(by: { $0.key < $1.key }) {
                complain("\(key) was written by \(writer.bundle) as \(value), which never arrived")
            }
        }
    }

    /// Whether a device has sent a value, after all of its writes that were
    /// answered.
    private func isUnanswered(_ value: String?, in scope: Scope, _ last: [String: Taken]) -> Bool {
        heard.contains { writer, writes in
            let answered = last[writer.device]?.write.sequence ?? 0
            return writer.bundle == scope.bundle
                && writes.contains { $0.key == scope.key && $0.value == value && $0.sequence > answered }
        }
    }
}
