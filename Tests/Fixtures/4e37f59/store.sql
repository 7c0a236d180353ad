CREATE TABLE schema_migration (name TEXT PRIMARY KEY, applied BIGINT NOT NULL);
INSERT INTO schema_migration VALUES ('001 catalogue', 1);
INSERT INTO schema_migration VALUES ('002 accounts', 2);
INSERT INTO schema_migration VALUES ('003 purchases', 3);
INSERT INTO schema_migration VALUES ('004 copies', 4);
INSERT INTO schema_migration VALUES ('005 closed accounts', 5);
INSERT INTO schema_migration VALUES ('006 decisions', 6);
INSERT INTO schema_migration VALUES ('007 key values', 7);
CREATE TABLE app (
    bundle_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
);
INSERT INTO app VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'BuyFruit');
CREATE TABLE product (
    bundle_id TEXT NOT NULL REFERENCES app (bundle_id),
    product_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    reference_name TEXT NOT NULL,
    family_shareable BIGINT NOT NULL,
    for_sale BIGINT NOT NULL,
    milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
    PRIMARY KEY (bundle_id, product_id)
);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Apple', 'Non-Consumable', 'Apple', 0, 1, 990);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Blackberry', 'Non-Consumable', 'Blackberry', 0, 1, 1990);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Orange', 'Non-Consumable', 'Orange', 0, 1, 2990);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Pear', 'Non-Consumable', 'Pear', 0, 1, 990);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Tomato', 'Non-Consumable', 'Tomato', 0, 1, 490);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Strawberry', 'Non-Consumable', 'Strawberry', 1, 1, 1490);
INSERT INTO product VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Seeds', 'Consumable', 'Seeds', 0, 1, 290);
CREATE TABLE product_localization (
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    locale TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (bundle_id, product_id, locale),
    FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
);
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Apple', 'en_US', 'Apple', 'Red, crisp and a little sour');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Blackberry', 'en_US', 'Blackberry', 'Picked at the edge of the forest');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Orange', 'en_US', 'Orange', 'Full of sun, and with a picture of its own');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Pear', 'en_US', 'Pear', 'Soft, sweet and green');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Tomato', 'en_US', 'Tomato', 'A fruit, whatever the salad says');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Strawberry', 'en_US', 'Strawberry', 'The first one of the summer');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Strawberry', 'de_DE', 'Erdbeere', 'Die erste des Sommers');
INSERT INTO product_localization VALUES ('de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Seeds', 'en_US', 'Seeds', 'A handful, gone when sown');
CREATE TABLE product_price (
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    storefront TEXT NOT NULL,
    milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
    PRIMARY KEY (bundle_id, product_id, storefront),
    FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
);
CREATE TABLE account (
    environment TEXT NOT NULL,
    account_id TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    storefront TEXT NOT NULL,
    event_number BIGINT NOT NULL,
    created_at BIGINT NOT NULL, closed_at BIGINT, is_barred BIGINT NOT NULL DEFAULT 0, asks_to_buy BIGINT NOT NULL DEFAULT 0, interrupts_purchases BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (environment, account_id)
);
INSERT INTO account VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 'tester@example.com', 'scrypt$16384$8$1$75533cc8c6516c96867ceb8f3e79b932$582e33424142deec9b6848c7356181210c0548e35adeb639f2be21a65d392498', 'USA', 10, 1795346066789, NULL, 0, 0, 0);
CREATE TABLE sign_in_throttle (
    environment TEXT NOT NULL,
    email TEXT NOT NULL,
    failures BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL,
    PRIMARY KEY (environment, email)
);
CREATE TABLE device (
    environment TEXT NOT NULL,
    device_id TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    account_id TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (environment, device_id),
    FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
);
INSERT INTO device VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', '4e17c5533e83514e365ba57d81200be42d133f2b4f584e17da33c334b518d16e', '4e3baac1799ef6be65627bc33aea89ca', 1795346067738);
INSERT INTO device VALUES ('Sandbox', '02020202020202020202020202020202', '749f1a97ff6cd00ea46ccb3a47bb123283fe56c8fa324bea295d928f558161df', '4e3baac1799ef6be65627bc33aea89ca', 1795346071035);
CREATE TABLE sheet_session (
    environment TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    account_id TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (environment, token_hash),
    FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
);
CREATE TABLE request (
    environment TEXT NOT NULL,
    device_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    product_id TEXT,
    quantity BIGINT NOT NULL,
    username TEXT,
    status TEXT NOT NULL,
    account_id TEXT,
    transaction_id TEXT,
    event_number BIGINT,
    failure_code BIGINT,
    failure_message TEXT,
    created_at BIGINT NOT NULL, simulates_ask_to_buy BIGINT NOT NULL DEFAULT 0, deferred_at BIGINT, interrupted_at BIGINT,
    PRIMARY KEY (environment, device_id, request_id),
    FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)
);
INSERT INTO request VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', '3260c6357415c478292393671453b173', 'payment', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Apple', 1, NULL, 'done', '4e3baac1799ef6be65627bc33aea89ca', '2850412655696854', 1, NULL, NULL, 1795346067956, 0, NULL, NULL);
INSERT INTO request VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', 'ac4650de761b201b15e1476bfa424d4c', 'payment', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Pear', 1, NULL, 'done', '4e3baac1799ef6be65627bc33aea89ca', '2951205354947406', 3, NULL, NULL, 1795346069232, 0, NULL, NULL);
INSERT INTO request VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', '7ebf5342d962fe625a36f23b405bd19c', 'payment', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Seeds', 1, NULL, 'done', '4e3baac1799ef6be65627bc33aea89ca', '2677636404247776', 5, NULL, NULL, 1795346070131, 0, NULL, NULL);
INSERT INTO request VALUES ('Sandbox', '02020202020202020202020202020202', 'tablet-pear', 'payment', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Pear', 1, NULL, 'done', '4e3baac1799ef6be65627bc33aea89ca', '2337378148199498', 7, NULL, NULL, 1795346071067, 0, NULL, NULL);
INSERT INTO request VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', '952401586781545c2569a0f2f0a47c6b', 'payment', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Orange', 1, NULL, 'deferred', '4e3baac1799ef6be65627bc33aea89ca', '2664259409424942', NULL, NULL, NULL, 1795346072713, 0, 1795346072713, NULL);
INSERT INTO request VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', '3c0a8756467808ec177fc26ca85f673a', 'payment', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Seeds', 1, NULL, 'done', '4e3baac1799ef6be65627bc33aea89ca', '2836684611950906', 10, NULL, NULL, 1795346073312, 0, NULL, NULL);
CREATE TABLE sheet (
    environment TEXT NOT NULL,
    token TEXT NOT NULL,
    device_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    status TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    closing_at BIGINT NOT NULL,
    PRIMARY KEY (environment, token),
    FOREIGN KEY (environment, device_id, request_id)
        REFERENCES request (environment, device_id, request_id)
);
INSERT INTO sheet VALUES ('Sandbox', '26beca5530ddffb2a1869363fe504407df9e99cb95faf546bdf6f7c6f357ebcb', '9b015004919d74d8dd8657532953aefd', '3260c6357415c478292393671453b173', 'confirmed', 1795346667956, 1795346667956);
INSERT INTO sheet VALUES ('Sandbox', 'a0dd6d44529ed0a219ade361f752f5529b6526b3690061b6a677b39f742241a8', '9b015004919d74d8dd8657532953aefd', 'ac4650de761b201b15e1476bfa424d4c', 'confirmed', 1795346669232, 1795346669232);
INSERT INTO sheet VALUES ('Sandbox', 'a01ee6af02e779143f5a64032f1fe195909ce90ab75698446c49debe0bfe1f24', '9b015004919d74d8dd8657532953aefd', '7ebf5342d962fe625a36f23b405bd19c', 'confirmed', 1795346670131, 1795346670131);
INSERT INTO sheet VALUES ('Sandbox', '34bc544ec96963832984a8066fb65534a887d94d52556b6a65262645b333cc7d', '02020202020202020202020202020202', 'tablet-pear', 'confirmed', 1795346671067, 1795346671067);
INSERT INTO sheet VALUES ('Sandbox', 'd30500c9f31a6435aaba0d879939f4f0d68d165a87169e1888cbee4f74377b62', '9b015004919d74d8dd8657532953aefd', '3c0a8756467808ec177fc26ca85f673a', 'confirmed', 1795346673312, 1795346673312);
CREATE TABLE payment (
    environment TEXT NOT NULL,
    payment_number TEXT NOT NULL,
    device_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (environment, payment_number),
    FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
);
INSERT INTO payment VALUES ('Sandbox', '31d5216eb2f7049206e88d20d36e6d2f', '9b015004919d74d8dd8657532953aefd', '3260c6357415c478292393671453b173', '4e3baac1799ef6be65627bc33aea89ca', 990, 'USD', 'captured', 1795346068802);
INSERT INTO payment VALUES ('Sandbox', '218c6f209288369056c1a8661d1e3a31', '9b015004919d74d8dd8657532953aefd', 'ac4650de761b201b15e1476bfa424d4c', '4e3baac1799ef6be65627bc33aea89ca', 990, 'USD', 'refunded', 1795346069963);
INSERT INTO payment VALUES ('Sandbox', 'd06922aa1a3e319c01794487ca39f847', '9b015004919d74d8dd8657532953aefd', '7ebf5342d962fe625a36f23b405bd19c', '4e3baac1799ef6be65627bc33aea89ca', 290, 'USD', 'captured', 1795346070854);
INSERT INTO payment VALUES ('Sandbox', '476b0d613667ce58f56bb19ae259c9f6', '9b015004919d74d8dd8657532953aefd', '3c0a8756467808ec177fc26ca85f673a', '4e3baac1799ef6be65627bc33aea89ca', 290, 'USD', 'captured', 1795346073946);
CREATE TABLE reservation (
    environment TEXT NOT NULL,
    account_id TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    payment_number TEXT NOT NULL,
    transaction_id TEXT
);
INSERT INTO reservation VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Apple', '31d5216eb2f7049206e88d20d36e6d2f', '2850412655696854');
CREATE TABLE purchase (
    environment TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    original_transaction_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    username TEXT,
    purchased_at BIGINT NOT NULL,
    original_purchased_at BIGINT NOT NULL,
    milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
    currency TEXT NOT NULL,
    storefront TEXT NOT NULL,
    device_id TEXT,
    request_id TEXT,
    is_in_receipt BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (environment, transaction_id),
    FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
);
INSERT INTO purchase VALUES ('Sandbox', '2850412655696854', '2850412655696854', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Apple', 'Non-Consumable', 1, NULL, 1795346068802, 1795346068802, 990, 'USD', 'USA', '9b015004919d74d8dd8657532953aefd', '3260c6357415c478292393671453b173', 1, NULL);
INSERT INTO purchase VALUES ('Sandbox', '2951205354947406', '2951205354947406', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Pear', 'Non-Consumable', 1, NULL, 1795346069963, 1795346069963, 990, 'USD', 'USA', '9b015004919d74d8dd8657532953aefd', 'ac4650de761b201b15e1476bfa424d4c', 1, 1795346071933);
INSERT INTO purchase VALUES ('Sandbox', '2677636404247776', '2677636404247776', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Seeds', 'Consumable', 1, NULL, 1795346070854, 1795346070854, 290, 'USD', 'USA', '9b015004919d74d8dd8657532953aefd', '7ebf5342d962fe625a36f23b405bd19c', 0, NULL);
INSERT INTO purchase VALUES ('Sandbox', '2337378148199498', '2951205354947406', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Pear', 'Non-Consumable', 1, NULL, 1795346071776, 1795346069963, 0, 'USD', 'USA', '02020202020202020202020202020202', 'tablet-pear', 1, 1795346071933);
INSERT INTO purchase VALUES ('Sandbox', '2836684611950906', '2836684611950906', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'de.tum.in.www1.sgdws13.BuyFruit.Seeds', 'Consumable', 1, NULL, 1795346073946, 1795346073946, 290, 'USD', 'USA', '9b015004919d74d8dd8657532953aefd', '3c0a8756467808ec177fc26ca85f673a', 1, NULL);
CREATE TABLE ledger_entry (
    environment TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    account_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    payment_number TEXT,
    milliunits BIGINT NOT NULL,
    currency TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (environment, entry_id),
    FOREIGN KEY (environment, transaction_id) REFERENCES purchase (environment, transaction_id)
);
INSERT INTO ledger_entry VALUES ('Sandbox', '31d5216eb2f7049206e88d20d36e6d2f', 'charge', '4e3baac1799ef6be65627bc33aea89ca', '2850412655696854', '31d5216eb2f7049206e88d20d36e6d2f', 990, 'USD', 1795346068802);
INSERT INTO ledger_entry VALUES ('Sandbox', '218c6f209288369056c1a8661d1e3a31', 'charge', '4e3baac1799ef6be65627bc33aea89ca', '2951205354947406', '218c6f209288369056c1a8661d1e3a31', 990, 'USD', 1795346069963);
INSERT INTO ledger_entry VALUES ('Sandbox', 'd06922aa1a3e319c01794487ca39f847', 'charge', '4e3baac1799ef6be65627bc33aea89ca', '2677636404247776', 'd06922aa1a3e319c01794487ca39f847', 290, 'USD', 1795346070854);
INSERT INTO ledger_entry VALUES ('Sandbox', 'f4944d0a074dd398ee45d50514bc1912', 'charge', '4e3baac1799ef6be65627bc33aea89ca', '2337378148199498', NULL, 0, 'USD', 1795346071776);
INSERT INTO ledger_entry VALUES ('Sandbox', 'd977de5fb7f03d9715e06dfd97789a3f', 'refund', '4e3baac1799ef6be65627bc33aea89ca', '2951205354947406', '218c6f209288369056c1a8661d1e3a31', -990, 'USD', 1795346071933);
INSERT INTO ledger_entry VALUES ('Sandbox', '476b0d613667ce58f56bb19ae259c9f6', 'charge', '4e3baac1799ef6be65627bc33aea89ca', '2836684611950906', '476b0d613667ce58f56bb19ae259c9f6', 290, 'USD', 1795346073946);
CREATE TABLE queue_entry (
    environment TEXT NOT NULL,
    device_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    request_id TEXT,
    event_number BIGINT NOT NULL,
    PRIMARY KEY (environment, device_id, transaction_id),
    FOREIGN KEY (environment, transaction_id) REFERENCES purchase (environment, transaction_id)
);
INSERT INTO queue_entry VALUES ('Sandbox', '9b015004919d74d8dd8657532953aefd', '2836684611950906', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', '3c0a8756467808ec177fc26ca85f673a', 10);
CREATE TABLE event (
    environment TEXT NOT NULL,
    account_id TEXT NOT NULL,
    event_number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    PRIMARY KEY (environment, account_id, event_number)
);
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 1, 'transaction', 'de.tum.in.www1.sgdws13.BuyFruit', '2850412655696854');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 2, 'finished', 'de.tum.in.www1.sgdws13.BuyFruit', '2850412655696854');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 3, 'transaction', 'de.tum.in.www1.sgdws13.BuyFruit', '2951205354947406');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 4, 'finished', 'de.tum.in.www1.sgdws13.BuyFruit', '2951205354947406');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 5, 'transaction', 'de.tum.in.www1.sgdws13.BuyFruit', '2677636404247776');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 6, 'finished', 'de.tum.in.www1.sgdws13.BuyFruit', '2677636404247776');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 7, 'transaction', 'de.tum.in.www1.sgdws13.BuyFruit', '2337378148199498');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 8, 'key-values', 'de.tum.in.www1.sgdws13.BuyFruit', '');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 9, 'revoked', 'de.tum.in.www1.sgdws13.BuyFruit', '2951205354947406');
INSERT INTO event VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 10, 'transaction', 'de.tum.in.www1.sgdws13.BuyFruit', '2836684611950906');
CREATE TABLE restored_transaction (
    environment TEXT NOT NULL,
    device_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    place BIGINT NOT NULL,
    transaction_id TEXT NOT NULL,
    restores_transaction_id TEXT NOT NULL,
    restored_at BIGINT NOT NULL,
    PRIMARY KEY (environment, device_id, request_id, place),
    FOREIGN KEY (environment, restores_transaction_id) REFERENCES purchase (environment, transaction_id)
);
CREATE TABLE sandbox_payment (
    payment_number TEXT NOT NULL PRIMARY KEY,
    status TEXT NOT NULL,
    milliunits BIGINT NOT NULL,
    currency TEXT NOT NULL
);
INSERT INTO sandbox_payment VALUES ('31d5216eb2f7049206e88d20d36e6d2f', 'captured', 990, 'USD');
INSERT INTO sandbox_payment VALUES ('218c6f209288369056c1a8661d1e3a31', 'refunded', 990, 'USD');
INSERT INTO sandbox_payment VALUES ('d06922aa1a3e319c01794487ca39f847', 'captured', 290, 'USD');
INSERT INTO sandbox_payment VALUES ('476b0d613667ce58f56bb19ae259c9f6', 'captured', 290, 'USD');
CREATE TABLE copy_under_way (
    begun_at BIGINT NOT NULL PRIMARY KEY
);
CREATE TABLE product_exclusion (
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    storefront TEXT NOT NULL,
    PRIMARY KEY (bundle_id, product_id, storefront),
    FOREIGN KEY (bundle_id, product_id) REFERENCES product (bundle_id, product_id)
);
CREATE TABLE key_value (
    environment TEXT NOT NULL,
    account_id TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    key_name TEXT NOT NULL,
    value TEXT,
    value_bytes BIGINT NOT NULL,
    event_number BIGINT NOT NULL,
    PRIMARY KEY (environment, account_id, bundle_id, key_name),
    FOREIGN KEY (environment, account_id) REFERENCES account (environment, account_id)
);
INSERT INTO key_value VALUES ('Sandbox', '4e3baac1799ef6be65627bc33aea89ca', 'de.tum.in.www1.sgdws13.BuyFruit', 'theme', 'ZGFyaw==', 4, 8);
CREATE TABLE key_value_writer (
    environment TEXT NOT NULL,
    device_id TEXT NOT NULL,
    bundle_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    PRIMARY KEY (environment, device_id, bundle_id),
    FOREIGN KEY (environment, device_id) REFERENCES device (environment, device_id)
);
INSERT INTO key_value_writer VALUES ('Sandbox', '02020202020202020202020202020202', 'de.tum.in.www1.sgdws13.BuyFruit', 1);
CREATE UNIQUE INDEX account_email ON account (environment, email);
CREATE INDEX sign_in_throttle_age ON sign_in_throttle (environment, blocked_until);
CREATE INDEX sheet_session_expiry ON sheet_session (environment, expires_at);
CREATE UNIQUE INDEX sheet_request ON sheet (environment, device_id, request_id);
CREATE INDEX sheet_open ON sheet (environment, closing_at) WHERE status = 'open';
CREATE UNIQUE INDEX reservation_owned_once
ON reservation (environment, account_id, bundle_id, product_id);
CREATE UNIQUE INDEX purchase_request ON purchase (environment, device_id, request_id);
CREATE INDEX purchase_in_receipt ON purchase (environment, account_id, bundle_id, purchased_at)
WHERE is_in_receipt = 1;
CREATE UNIQUE INDEX ledger_charged_once ON ledger_entry (environment, transaction_id)
WHERE kind = 'charge';
CREATE INDEX queue_entry_of_app ON queue_entry (environment, device_id, bundle_id, event_number);
CREATE INDEX queue_entry_of_transaction ON queue_entry (environment, transaction_id);
CREATE UNIQUE INDEX restored_transaction_id ON restored_transaction (environment, transaction_id);
CREATE INDEX device_of_account ON device (environment, account_id);
CREATE INDEX sheet_session_of_account ON sheet_session (environment, account_id);
CREATE UNIQUE INDEX request_transaction ON request (environment, transaction_id);
CREATE INDEX request_undecided ON request (environment, transaction_id)
WHERE status IN ('deferred', 'interrupted');
CREATE INDEX payment_open ON payment (environment, payment_number)
WHERE status IN ('reserved', 'committed', 'refunding');
CREATE UNIQUE INDEX ledger_refunded_once ON ledger_entry (environment, transaction_id)
WHERE kind = 'refund';
CREATE INDEX purchase_of_original ON purchase (environment, original_transaction_id);
CREATE INDEX event_revoked ON event (environment, account_id, bundle_id, event_number)
WHERE kind = 'revoked';
CREATE INDEX key_value_news ON key_value (environment, account_id, bundle_id, event_number);
