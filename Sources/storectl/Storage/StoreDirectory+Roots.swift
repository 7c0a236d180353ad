// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

extension StoreDirectory {
    /// The file of the root certificates that apps on this machine trust
    /// (`STOREKIT_TRUST`): that of receipts and that of signed transactions.
    var rootsURL: URL { url.appending(path: "roots.pem") }

    /// Writes the root certificates into the file, unless it has them: an
    /// operator may have added those of another store.
    ///
    /// The store needs no such file, so a folder that can't be written is
    /// logged: apps then take the certificates from `/pki/roots.pem`.
    func recordRoots(_ roots: String, _ logger: Logger) {
        if let contents = FileManager.default.contents(atPath: rootsURL.path),
            String(decoding: contents, as: UTF8.self).contains(roots)
        {
            return
        }
        do {
            try Data(roots.utf8).write(to: rootsURL, options: .atomic)
        } catch {
            logger.warning(
                "the root certificates can't be written: save /pki/roots.pem of the store for apps",
                metadata: ["file": "\(rootsURL.path)", "reason": "\(error.localizedDescription)"])
        }
    }
}
