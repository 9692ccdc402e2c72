//! The answers of a starter: it is asked every sample request of Tablić, and the seed of the request decides
//! the answer, so all languages give the same one.

use std::fs::{self, File};
use std::path::Path;

use tests::bench::{Bench, Ended, run};

/// A request of a game that no bot knows, with more lines than a bot expects.
const UNKNOWN_GAME: &str = "arbiter 1\ngame nim heaps=3\nmatch 00\nweather fair\nseat 0\nmove 0\n\
    time 100\nseed 00000000000000ff\nview 2\nlegal 7\nheaps 1 2\nhistory 1\nlegal 1\n\
    legal 3 more\ntake 1\ntake 2\ntake 3\nend\n";

/// The sample requests of Tablić.
fn samples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/requests/tablic");
    let files =
        fs::read_dir(folder).expect("the requests").map(|file| file.expect("a file").path());
    let samples: Vec<String> =
        files.map(|file| fs::read_to_string(file).expect("a request")).collect();
    assert!(samples.len() > 20, "the samples are not where they were");
    samples
}

/// The move that the seed of a request chooses.
fn chosen(request: &str) -> &str {
    let value = |key: &str| request.lines().find_map(|line| line.strip_prefix(key));
    let seed = u64::from_str_radix(value("seed ").expect("a seed"), 16).expect("a number");
    // The list of legal moves is the last, and what it opens with looks like no event.
    let (_, list) = request.rsplit_once("\nlegal ").expect("legal moves");
    let moves: Vec<&str> = list.lines().skip(1).take_while(|line| *line != "end").collect();
    moves[usize::try_from(seed % moves.len() as u64).expect("a place in a list")]
}

/// Asserts what the program of a starter answers to every sample request, all in one process, and that it
/// plays a game that it does not know, but no version of the protocol that it does not know.
///
/// `arbiter check` asks the same requests one by one.
pub(super) fn are_right(bench: &Bench, words: &[&str]) {
    let folder = bench.path("my-bot");
    let answers = |input: &str| -> Ended {
        let input = File::open(bench.write("requests", input)).expect("it was just written");
        let program = match words[0].strip_prefix("./") {
            Some(file) => folder.join(file),
            None => words[0].into(),
        };
        run(bench.command(program).args(&words[1..]).current_dir(&folder).stdin(input))
    };
    let samples = samples();
    let expected: String =
        samples.iter().map(|request| chosen(request).to_owned() + "\n").collect();
    let ended = answers(&samples.concat());
    assert_eq!((ended.stdout, ended.stderr.as_str()), (expected, ""), "{words:?}, kept alive");
    assert_eq!(answers(UNKNOWN_GAME).stdout.trim_end(), chosen(UNKNOWN_GAME), "{words:?}");
    let later = answers(&UNKNOWN_GAME.replace("arbiter 1", "arbiter 2"));
    assert!(later.code != Some(0) && later.stdout.is_empty(), "{words:?}: {later:?}");
    assert!(later.stderr.contains("expected version 1"), "{words:?}: {later:?}");
}
