// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// Hosted content of products, its uploads, and the secret that signs its
    /// addresses.
    static let hostedContent = Migration(
        "027 hosted content",
        [
            // Several versions with the same bytes name one object of the
            // storage. An object whose last row is deleted is never named
            // again, so that a process may remove it at any later time.
            """
            CREATE TABLE content_version (
                content_id TEXT NOT NULL PRIMARY KEY,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                version TEXT NOT NULL,
                is_newest BIGINT NOT NULL,
                object_id TEXT NOT NULL,
                object_bytes BIGINT NOT NULL,
                checksum TEXT NOT NULL,
                file_count BIGINT NOT NULL,
                file_bytes BIGINT NOT NULL,
                published_at BIGINT NOT NULL,
                UNIQUE (bundle_id, product_id, version),
                FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
            )
            """,
            """
            CREATE UNIQUE INDEX content_version_newest ON content_version (bundle_id, product_id)
            WHERE is_newest = 1
            """,
            "CREATE INDEX content_version_object ON content_version (object_id)",
            "CREATE INDEX content_version_checksum ON content_version (checksum)",
            // `received` counts the bytes that the storage has made durable.
            """
            CREATE TABLE content_upload (
                upload_id TEXT NOT NULL PRIMARY KEY,
                bundle_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                version TEXT NOT NULL,
                object_bytes BIGINT NOT NULL,
                checksum TEXT NOT NULL,
                received BIGINT NOT NULL,
                storage_state TEXT NOT NULL,
                touched_at BIGINT NOT NULL,
                UNIQUE (bundle_id, product_id, version, checksum),
                FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
            )
            """,
            "CREATE INDEX content_upload_touched ON content_upload (touched_at, upload_id)",
            // One row at most: the first process that needs the secret makes
            // it.
            """
            CREATE TABLE content_secret (
                secret_id BIGINT NOT NULL PRIMARY KEY CHECK (secret_id = 1),
                secret blob NOT NULL
            )
            """,
        ])
}
