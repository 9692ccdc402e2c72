//! Measures the cost of the pages where bots are handed in, with many submissions and many waiting
//! pages. It prints, and is for reading.
//!
//! `cargo test --release -p tests --test machine waiting_pages -- --ignored --nocapture`

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tests::bench::Bench;
use tests::handing_in::{invite_many, numbered_token as token};
use tests::served::Served;

/// Number of participants, each with a waiting page.
const PARTICIPANTS: usize = 60;
/// Number of submissions of each, of which the last one waits.
const EACH: usize = 50;
/// Time between two questions of a page, as in `hand-in.js`.
const PAUSE: Duration = Duration::from_secs(3);
/// Time of the measurement.
const TIME: Duration = Duration::from_secs(30);

/// A league with participants and their submissions, as a server writes them.
fn class() -> Bench {
    let bench = Bench::new();
    bench.ok("league new class --game coup");
    invite_many(&bench, PARTICIPANTS);
    for participant in 0..PARTICIPANTS {
        for number in 1..=EACH {
            let folder = format!("class/submissions/p{participant}/{number}");
            fs::create_dir_all(bench.path(&folder)).expect("ours");
            let verdict = match number == EACH {
                true => "\"waiting\"".to_owned(),
                false => "{\"refused\":{\"step\":\"builds\",\"why\":\"exit 1\"}}".to_owned(),
            };
            let record =
                format!("{{\"file\":\"bot.zip\",\"received\":{number},\"verdict\":{verdict}}}");
            bench.write(&format!("{folder}/submission.json"), record);
            bench.write(&format!("{folder}/upload"), "exit 1");
        }
    }
    bench
}

/// Time of a request that must be answered by a page.
fn ask(served: &Served, path: &str, number: usize) -> Duration {
    let cookie = format!("token={}", token(number));
    // As a proxy passes on those who come from everywhere.
    let from = format!("192.0.2.{number}");
    let headers = [("cookie", &*cookie), ("accept", "text/html"), ("x-forwarded-for", &*from)];
    let begun = Instant::now();
    let answer = served.get(path, &headers);
    assert_eq!(answer.status, 200, "{}", answer.text);
    begun.elapsed()
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at =
        |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!(
        "{what}: {} requests, median {:.1} ms, 95% within {:.1} ms, at most {:.1} ms",
        times.len(),
        at(50),
        at(95),
        at(100)
    );
}

#[test]
#[ignore = "a minute; it is for reading what it prints"]
fn sixty_waiting_pages() {
    let bench = class();
    // While another program enters bots, all of them wait.
    let entering = fs::File::create(bench.path("class/entering")).expect("ours");
    entering.lock().expect("a lock");
    let served = Served::start(&bench, &["class", "--submit"]);
    let alone = (0..100).map(|it| ask(&served, "hand-in/", it % PARTICIPANTS)).collect();
    print("hand-in/ alone", alone);
    let is_over = AtomicBool::new(false);
    let (pages, home) = thread::scope(|scope| {
        let page = |number: usize| {
            let (served, is_over) = (&served, &is_over);
            scope.spawn(move || {
                let mut times = Vec::new();
                thread::sleep(PAUSE * number as u32 / PARTICIPANTS as u32);
                while !is_over.load(Ordering::Relaxed) {
                    times.push(ask(served, "hand-in/", number));
                    thread::sleep(PAUSE);
                }
                times
            })
        };
        let pages: Vec<_> = (0..PARTICIPANTS).map(page).collect();
        let begun = Instant::now();
        let mut home = Vec::new();
        while begun.elapsed() < TIME {
            home.push(ask(&served, "", 0));
            thread::sleep(Duration::from_millis(100));
        }
        is_over.store(true, Ordering::Relaxed);
        let pages = pages.into_iter().flat_map(|page| page.join().expect("no panic"));
        (pages.collect(), home)
    });
    print(
        &format!("hand-in/ of {PARTICIPANTS} waiting pages, {} submissions", PARTICIPANTS * EACH),
        pages,
    );
    print("the home page beside them", home);
}
