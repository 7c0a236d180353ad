// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Records the values that apps write and the store accepts, and checks that
/// none is lost or overwritten by a repeated message.
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

    /// The last write of each device that the store has accepted, and the
    /// account's event number after it.
    private var taken: [Scope: [String: Taken]] = [:]
    /// The writes that have reached the store. A store that ended may have
    /// accepted them without an answer, for the account that was signed in at
    /// that time.
    private var heard: [Writer: [KeyValueWrite]] = [:]
    /// The writes that have reached the store more than once.
    private var repeated: [Writer: Set<KeyValueWrite>] = [:]
    /// The last value of each key that an app has written and the store
    /// hasn't accepted yet.
    private var pending: [Writer: [String: String]] = [:]
    /// The time until which an app's writes may be lost, because its device
    /// hasn't processed a change of the account yet.
    private var forgiven: [Writer: Int64] = [:]
    private let complain: (String) -> Void

    init(complain: @escaping (String) -> Void) {
        self.complain = complain
    }

    /// Called before an app writes a value. If its process ends or the disk
    /// fails during the write, the value may be written or not.
    func writes(_ key: String, by writer: Writer) {
        pending[writer]?[key] = nil
    }

    /// Called when an app has written a value.
    func wrote(_ value: Data?, for key: String, by writer: Writer, now: Int64) {
        let isForgiven = (forgiven[writer] ?? 0) > now
        pending[writer, default: [:]][key] = isForgiven ? nil : value?.base64EncodedString()
    }

    /// Called when a message has reached the store.
    func arrived(_ message: StoreMessage) {
        guard message.path == .keyValues, let call = try? StoreCoding.decode(KeyValuesCall.self, from: message.body)
        else { return }
        let writer = Writer(device: message.credentials.identifier, bundle: call.bundleIdentifier)
        for write in call.writes {
            if heard[writer]?.contains(write) == true {
                repeated[writer, default: []].insert(write)
            } else {
                heard[writer, default: []].append(write)
            }
        }
    }

    /// Called when the store has answered a device.
    func answered(_ message: StoreMessage, _ data: Data, now: Int64) {
        guard message.path == .keyValues, let call = try? StoreCoding.decode(KeyValuesCall.self, from: message.body),
            let answer = try? StoreCoding.decode(KeyValuesCall.Answer.self, from: data),
            let position = answer.position
        else { return }
        let account = position.account
        let writer = Writer(device: message.credentials.identifier, bundle: call.bundleIdentifier)
        if let known = call.position, known.account != account {
            // Another account is signed in. The device discards all values that
            // it writes before it processes this answer.
            pending[writer] = nil
            forgiven[writer] = now + 60_000
            return
        }
        for write in call.writes {
            let scope = Scope(account: account, bundle: call.bundleIdentifier, key: write.key)
            let last = taken[scope]?[writer.device]?.write.sequence ?? 0
            // A device that knows no account may have sent the write before to
            // an account that isn't signed in any more, without an answer. The
            // store takes it once.
            let mayBeElsewhere = call.position == nil && repeated[writer]?.contains(write) == true
            // A late message: the store may have taken a later write of the
            // device meanwhile, of any key and for any account, and takes no
            // earlier one then.
            let mayBeLate = heard[writer, default: []].contains {
                $0.sequence > write.sequence && !call.writes.contains($0)
            }
            if write.sequence > last, !mayBeElsewhere, !mayBeLate {
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

    /// Checks that a value in an answer isn't an older write of a device
    /// whose newer write the store had accepted by then: a repeated message
    /// would have overwritten it.
    private func lookForRepeats(_ value: String?, in scope: Scope, at number: Int64) {
        guard let value else { return }
        for (writer, writes) in heard where writer.bundle == scope.bundle {
            guard let last = taken[scope]?[writer.device], number >= last.number,
                let write = writes.last(where: { $0.key == scope.key && $0.value == value }),
                write.sequence < last.write.sequence
            else { continue }
            complain("\(scope.key) of \(scope.bundle) has again an older value of \(writer.device)")
        }
    }

    /// Checks, when no work is left, that each value is the last one that a
    /// device has written, and that no write is lost.
    func check(_ values: [Scope: String?], signedIn: Set<String>) {
        for (scope, value) in values.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let last = taken[scope] ?? [:]
            let isLast = last.values.contains { $0.write.value == value } || isUnanswered(value, in: scope, last)
            if !isLast {
                complain("\(scope.key) of \(scope.bundle) isn't the last value of any device")
            }
        }
        for (writer, lost) in pending.sorted(by: { "\($0.key)" < "\($1.key)" }) where signedIn.contains(writer.device) {
            for (key, value) in lost.sorted(by: { $0.key < $1.key }) {
                complain("\(key) was written by \(writer.bundle) as \(value), which never arrived")
            }
        }
    }

    /// Whether a device has sent this value after its last write that was
    /// answered.
    private func isUnanswered(_ value: String?, in scope: Scope, _ last: [String: Taken]) -> Bool {
        heard.contains { writer, writes in
            let answered = last[writer.device]?.write.sequence ?? 0
            return writer.bundle == scope.bundle
                && writes.contains { $0.key == scope.key && $0.value == value && $0.sequence > answered }
        }
    }
}
