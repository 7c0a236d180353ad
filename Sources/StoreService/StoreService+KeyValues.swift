// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain

extension StoreService {
    func keyValues(_ call: KeyValuesCall, _ message: StoreMessage) async throws -> KeyValuesCall.Answer {
        guard call.writes.allSatisfy({ $0.value.map { Data(base64Encoded: $0) != nil } ?? true }) else {
            throw StoreFailure(.invalid, "A value is base64, or null when it was removed.")
        }
        let news = try await SynchronizingKeyValues(context)(
            call.writes.map { .init(KeyValue(key: $0.key, value: $0.value), sequence: $0.sequence) },
            known: call.position.map(AccountEvent.Position.init), of: BundleIdentifier(call.bundleIdentifier),
            on: message.device,
            limits: .init(
                keys: KeyValueLimits.keys, keyBytes: KeyValueLimits.keyBytes, valueBytes: KeyValueLimits.valueBytes))
        return KeyValuesCall.Answer(
            values: news.values.map(KeyValueInfo.init), refused: news.refused.map(KeyValueInfo.init),
            isWhole: news.isWhole, position: news.account.map(EventPosition.init))
    }
}

extension KeyValueInfo {
    init(_ value: KeyValue) {
        self.init(key: value.key, value: value.value)
    }
}
