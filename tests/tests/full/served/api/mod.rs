//! The interface for programs of `arbiter serve`.

mod described;
mod embedded;
mod lists;
mod shared;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::served::{Answer, Served};
use tests::tournament::play_cup;

/// The place of the interface, from the root of a source.
const ROOT: &str = "api/v1";

/// A tournament in the folder `cup`, with faults, notes, and a name that an address cannot hold as it is.
fn cup() -> Bench {
    let bench = Bench::new();
    bench.write(
        "loud.sh",
        "request=$(cat)\necho \"$request\" | sed -n '/^legal /{n;p;}'\n\
         echo secret-of-loud >&2\necho note evaluation 0.5 >&2\n",
    );
    let bots = format!("Žofie=random greedy 'loud=sh loud.sh' {}", bench.bad("bad", "junk-after"));
    play_cup(&bench, "cup", 2, &format!("--isolation off --disqualify-after never {bots}"));
    bench
}

/// Serves a folder for pages of other sites, too.
fn served(bench: &Bench, words: &[&str]) -> Served {
    Served::start(bench, &[&["--host", "api.example"], words].concat())
}

/// The answer at this path of the interface.
fn get(served: &Served, path: &str) -> Answer {
    served.get(&format!("{ROOT}{path}"), &[])
}

/// The value at this path of the interface.
fn value(served: &Served, path: &str) -> Value {
    served.value(&format!("{ROOT}{path}"))
}

/// The reason that an answer gives.
fn error(answer: &Answer) -> String {
    let told: Value = serde_json::from_str(&answer.text).expect("JSON");
    told["error"].as_str().expect("a reason").to_owned()
}

/// Waits until the log of this source was read to its end: a server reads it in pieces.
fn read_to_its_end(served: &Served, path: &str) {
    tests::running::wait_until("a list with an end", || {
        let answer = get(served, &format!("{path}?after={}", u64::MAX));
        let told: Value = serde_json::from_str(&answer.text).unwrap_or_default();
        told["games"] == json!([]) && told["next"].is_null()
    });
}
