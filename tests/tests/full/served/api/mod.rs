//! The interface for programs of `arbiter serve`.

mod described;
mod embedded;
mod lists;
mod shared;

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::served::{Answer, Served};

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
    let wrong = format!("bad={}", bench.faulty("junk-after"));
    let words = ["tournament", "--game", "coup", "--dir", "cup", "--deals", "2", "--seed", "7"];
    let more = ["--isolation", "off", "--disqualify-after", "never", "--quiet"];
    let bots = ["Žofie=random", "greedy", "loud=sh loud.sh", &*wrong];
    bench.succeed([&words[..], &more, &bots].concat());
    bench
}

/// The answer at this path of the interface.
fn get(served: &Served, path: &str) -> Answer {
    served.get(&format!("{ROOT}{path}"), &[])
}

/// The value at this path of the interface.
fn value(served: &Served, path: &str) -> Value {
    let answer = get(served, path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("{path}: {}", answer.text))
}

/// Waits until the log of this source was read to its end: a server reads it in pieces.
fn read_to_its_end(served: &Served, path: &str) {
    tests::running::wait_until("a list with an end", || {
        let answer = get(served, &format!("{path}?after={}", u64::MAX));
        let told: Value = serde_json::from_str(&answer.text).unwrap_or_default();
        told["games"] == json!([]) && told["next"].is_null()
    });
}
