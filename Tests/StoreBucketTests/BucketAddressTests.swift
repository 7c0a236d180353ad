// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

@testable import StoreBucket

/// The address of a bucket, and the keys of its objects.
struct BucketAddressTests {
    @Test("Bucket, prefix, endpoint and region are read")
    func whole() throws {
        let address = try BucketAddress("s3://fruit-1.content/shop/A_b/?endpoint=http://127.0.0.1:9000&region=garage")
        #expect(address.bucket == "fruit-1.content" && address.prefix == "shop/A_b")
        #expect(try address.region(environment: ["AWS_REGION": "eu-central-1"]) == "garage")
        let endpoint = try address.endpoint(region: "garage")
        #expect(endpoint.text == "http://127.0.0.1:9000" && endpoint.host == "127.0.0.1:9000")
        #expect("\(address)" == "s3://fruit-1.content/shop/A_b")
    }

    @Test("Without an endpoint it is AWS, in the region of the environment")
    func defaults() throws {
        let address = try BucketAddress("s3://fruit")
        #expect(address.prefix.isEmpty)
        #expect(try address.region(environment: [:]) == "us-east-1")
        #expect(try address.region(environment: ["AWS_DEFAULT_REGION": "eu-west-1"]) == "eu-west-1")
        #expect(try address.endpoint(region: "eu-west-1").text == "https://s3.eu-west-1.amazonaws.com")
        #expect(throws: BucketSettingError.self) { try address.region(environment: ["AWS_REGION": "a/b"]) }
    }

    @Test("The usual port of a scheme isn't in the field Host")
    func ports() throws {
        #expect(try BucketEndpoint("https://S3.example.com:443/").host == "s3.example.com")
        #expect(try BucketEndpoint("http://s3.example.com:443").host == "s3.example.com:443")
        #expect(try BucketEndpoint("http://[::1]:9000").host == "[::1]:9000")
    }

    @Test(
        "A wrong address is refused with its form",
        arguments: [
            "s3:", "s3://", "s3://ab", "s3://Fruit", "s3://fr_uit", "s3://fruit:80", "s3://key:secret@fruit",
            "s3://fruit#a",
            "s3://fruit/a b", "s3://fruit/%2e%2e/b", "s3://fruit/a/../b", "s3://fruit?endpoint=",
            "s3://fruit?endpoint=x",
            "s3://fruit?endpoint=ftp://x", "s3://fruit?endpoint=http://x/path", "s3://fruit?endpoint=http://a:b@x",
            "s3://fruit?other=1", "s3://fruit?region=a&region=b", "s3://fruit?region=A", "https://fruit",
        ])
    func refused(_ text: String) {
        #expect(throws: BucketSettingError.self) { _ = try BucketAddress(text) }
    }

    @Test("A key has the store, the upload and the checksum, and is read back")
    func keys() throws {
        let keys = BucketKeys(try BucketAddress("s3://fruit/shop"), store: "0123456789abcdef")
        let object = ContentObjectName("ab12-cd34")
        #expect(try keys.key(of: object) == "shop/0123456789abcdef/objects/cd34/ab12")
        #expect(keys.object(of: "shop/0123456789abcdef/objects/cd34/ab12") == object)
        #expect(keys.upload(of: "shop/0123456789abcdef/objects/cd34/ab12") == "cd34")
        #expect(keys.end(of: "cd34") > "shop/0123456789abcdef/objects/cd34/ff")
        #expect(keys.end(of: "cd34") < keys.folder(of: "cd35"))
        let alone = BucketKeys(try BucketAddress("s3://fruit"), store: "00")
        #expect(try alone.key(of: object) == "00/objects/cd34/ab12")
    }

    @Test(
        "Keys of others aren't objects of the store",
        arguments: [
            "", "objects/cd34/ab12", "00/objects/cd34", "00/objects/cd34/", "00/objects/cd34/ab12/x",
            "00/objects/CD34/ab12", "00/objects//ab12", "01/objects/cd34/ab12", "00/objects/cd34/readme.txt",
        ])
    func foreign(_ key: String) throws {
        #expect(BucketKeys(try BucketAddress("s3://fruit"), store: "00").object(of: key) == nil)
    }

    @Test("A name that no upload has made has no key", arguments: ["", "ab12", "ab12-cd34-ef", "../x-ab", "ab12-"])
    func names(_ name: String) throws {
        let keys = BucketKeys(try BucketAddress("s3://fruit"), store: "00")
        #expect(throws: ContentStorageError(.missing, "")) { try keys.key(of: ContentObjectName(name)) }
    }
}
