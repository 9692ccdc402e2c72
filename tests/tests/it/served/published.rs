//! The log of a league as a download.

use std::fs;

use tests::bench::run;
use tests::league::loud;
use tests::published::{ARCHIVE, offer};
use tests::served::{Answer, Served};

#[test]
fn the_log_is_a_download_where_the_organiser_offers_it() {
    let bench = loud();
    let served = Served::start(&bench, &["class"]);
    let refused = |served: &Served, why: &str| {
        let refused = served.get(ARCHIVE, &[]);
        assert!(refused.status == 404 && refused.text.contains(why), "{}", refused.text);
    };
    refused(&served, "the organiser does not offer the log");
    assert!(served.text("log.html").contains("There is no download"), "it says so");
    offer(&bench);
    assert!(served.text("log.html").contains(ARCHIVE));

    let Answer { status, bytes, .. } = served.get(ARCHIVE, &[]);
    assert_eq!(status, 200);
    bench.write("league.tar", &bytes);
    let text = String::from_utf8_lossy(&bytes);
    for private in ["secret-of-mine", "noted-by-mine"] {
        assert!(!text.contains(private), "{private}");
    }
    run(bench.command("tar").args(["xf", "league.tar"])).with_code(0);
    let head = bench.ok("head class");
    let verified = bench.ok(&format!("verify --head {} league", head.trim_end()));
    assert!(verified.contains("4 games"), "{verified}");
    assert_eq!(fs::read_dir(bench.path("league")).expect("a folder").count(), 2);

    // A log of an earlier version has standard error in its lines.
    let log = bench.text("class/rounds/0/games.jsonl");
    let old = log.replacen("\"stderr\":{", "\"stderr\":\"x\",\"y\":{", 1);
    bench.write("class/rounds/0/games.jsonl", old);
    let other = Served::start(&bench, &["class"]);
    refused(&other, "the log of round 0 holds standard error");
}
