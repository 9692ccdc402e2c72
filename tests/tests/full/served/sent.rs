//! Size of the responses: pages are packed, and a reader does not get the same page again.

use std::io::Read;

use flate2::read::GzDecoder;
use tests::league::lively;
use tests::served::{Events, Served};

#[test]
fn pages_are_packed_and_a_known_page_is_not_sent_again() {
    let bench = lively();
    let served = Served::start(&bench, &["class"]);
    let packs = [("accept-encoding", "br, gzip;q=0.8")];
    for path in ["", "crosstable.html", "rounds/0/", "assets/style.css", "rounds/0/data/index.js"] {
        let plain = served.text(path);
        let packed = served.get(path, &packs);
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        assert!(packed.header("vary").contains("accept-encoding"), "{path}");
        let mut text = String::new();
        GzDecoder::new(&packed.bytes[..]).read_to_string(&mut text).expect("gzip");
        assert_eq!(text, plain, "{path}");
        assert_eq!(served.get(path, &[]).header("content-encoding"), "", "{path}");
        assert_eq!(served.get(path, &[("accept-encoding", "gzip;q=0")]).text, plain, "{path}");
    }
    for path in ["events", "live/events"] {
        let headers = Events::open(&served, path).headers;
        assert!(!headers.contains_key("content-encoding"), "{path}");
        assert_eq!(headers["x-accel-buffering"], "no", "no proxy keeps events back");
    }
    for path in ["", "crosstable.html", "bots/1.html", "rounds/", "assets/style.css"] {
        let tag = served.get(path, &[]).header("etag").to_owned();
        let again = served.get(path, &[("if-none-match", &tag)]);
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.header("etag"), tag, "{path}");
    }
    // A script asks for what has changed: a bot enters, and the rounds are what they were.
    let first = served.get("", &[("arbiter-parts", "none")]);
    assert_eq!(first.text, served.text(""));
    let parts = first.header("arbiter-parts");
    assert!(parts.contains("standings=") && parts.contains("latest="), "{parts}");
    bench.ok("league add class late=random");
    let whole = served.text_with("", "late@1");
    let known = [("arbiter-parts", parts), ("if-none-match", first.header("etag"))];
    let changed = served.get("", &known);
    assert_eq!(changed.status, 200);
    let left_out = "<section id=\"latest\" data-same></section>";
    assert!(changed.text.contains(left_out), "{}", changed.text);
    assert!(changed.text.contains("late@1") && changed.text.len() < whole.len());
    let known = [("arbiter-parts", changed.header("arbiter-parts"))];
    let nothing = served.get("", &known).text;
    assert!(!nothing.contains("late@1"), "{nothing}");
}
