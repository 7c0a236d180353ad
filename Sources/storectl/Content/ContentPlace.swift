// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreBucket

/// The place of hosted content on the command line: a folder, or a bucket
/// such as `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`.
enum ContentPlace: Sendable {
    case folder(URL)
    case bucket(BucketAddress)

    /// - Throws: `ValidationError`.
    static func parse(_ argument: String) throws -> ContentPlace {
        guard argument.hasPrefix("\(BucketAddress.scheme):") else {
            return .folder(URL(fileURLWithPath: argument, isDirectory: true))
        }
        do {
            return .bucket(try BucketAddress(argument))
        } catch let error as BucketSettingError {
            throw ValidationError(error.message)
        }
    }

    var isBucket: Bool {
        if case .bucket = self { true } else { false }
    }
}
