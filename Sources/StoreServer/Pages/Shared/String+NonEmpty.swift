// SPDX-License-Identifier: Apache-2.0

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
