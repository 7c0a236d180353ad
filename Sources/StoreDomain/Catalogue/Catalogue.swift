// SPDX-License-Identifier: Apache-2.0

/// The apps of the store and their products. Reading and writing them is in
/// Catalogue+Persistence.swift.
enum Catalogue {}
