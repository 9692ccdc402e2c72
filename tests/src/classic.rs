//! Programs of the classic dialect of Coup as small scripts of the shell, and matches of them.

use serde_json::{Value, json};

use crate::bench::Bench;

/// Plays a match of Coup with a log, which must verify, and gives its games.
pub fn play(bench: &Bench, games: usize, bots: [&str; 2]) -> Vec<Value> {
    let played = bench.play("coup", &["--games", &games.to_string()], &bots);
    assert_eq!(played.len(), games);
    played
}

/// Asserts that no bot faulted in these games.
#[track_caller]
pub fn all_sane(games: &[Value]) {
    for game in games {
        assert_eq!(game["result"]["out"], json!([null, null]), "{game}");
        assert_eq!(game["result"]["ending"], "played", "{game}");
    }
}

/// A program that plays the first legal move, but does something else where FILE ends like this:
/// `case` patterns of the shell with commands, in which `$file`, `$cards` and `$first` are set, and
/// `$answer` can be.
pub fn shell(bench: &Bench, name: &str, cases: &[(&str, &str)]) -> String {
    let cases: String =
        cases.iter().map(|(ends, commands)| format!("{ends}) {commands} ;;\n")).collect();
    let script = format!(
        "file=$1 cards=$4 first=$5 answer=$5\n\
         text=$(cat \"$file\"; echo .)\n\
         nl='\n'\n\
         text=${{text%.}}\n\
         case ${{text##*\"$nl\"}} in\n{cases}esac\n\
         printf '%s' \"$answer\" >> \"$file\"\n\
         printf '%s' \"${{cards%??}}\"\n"
    );
    bench.write(&format!("{name}.sh"), script);
    format!("dialect=classic {name}=/bin/sh {name}.sh")
}
