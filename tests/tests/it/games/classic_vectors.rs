//! The vectors of single calls of the classic dialect, with real processes: a program does what a
//! vector says, and the verdict is the vector's.

#![cfg(unix)]
use std::time::Duration;

use bot::grants::OutsideAccess;
use bot::{BotSpec, Contender};
use contest::playing::Player;
use contest::playing::bot::Bot;
use coup_scene::effects::{self, Effect};
use rules::dialect::Strictness;
use rules::{Answer, Dialect, Verdict};
use sandbox::isolation::Isolation;
use sandbox::{Limits, SearchPath, Supervisor};
use tests::bench::Bench;

const CLASSIC: Dialect = Dialect::Classic(Strictness::Strict);

#[path = "../../../../arbiter/rules/tests/it/coup/scene/mod.rs"]
mod coup_scene;

/// Any text as a word of the shell for `printf`.
fn octal(text: &str) -> String {
    text.bytes().map(|byte| format!("\\{byte:03o}")).collect()
}

/// A script that leaves what a vector says in its file, prints what it prints, and ends as it ends.
fn script(effect: &Effect) -> String {
    let leaves = match effect.file_after.strip_prefix(&effect.history) {
        Some(appended) => format!("printf '{}' >> \"$1\"", octal(appended)),
        None => format!("printf '{}' > \"$1\"", octal(&effect.file_after)),
    };
    let ends = match effect.exit {
        exit if exit < 0 => format!("kill -{} $$", -exit),
        exit => format!("exit {exit}"),
    };
    format!("{leaves}\nprintf '{}'\n{ends}\n", octal(&effect.stdout))
}

#[test]
fn real_programs_are_ruled_on_as_the_vectors_say() {
    let bench = Bench::new();
    let search = SearchPath::of_this_process(None).unwrap();
    // A machine may be busy.
    let limits = Limits { time: Duration::from_secs(30), ..Limits::DEFAULT };
    let mut ruled = Vec::new();
    for effect in effects::read() {
        let Some(sample) = effect.sample() else { continue };
        let path = bench.write("program.sh", script(&effect));
        let spec: BotSpec =
            format!("dialect=classic /bin/sh '{}'", path.display()).parse().unwrap();
        let bot =
            Contender::prepare(&spec, "bot", limits, &search, &OutsideAccess::Everything).unwrap();
        let mut player = Bot::new(&bot, Supervisor::from_env(Isolation::Off).unwrap());
        let asked = sample.prompt(CLASSIC).expect("Coup has the classic dialect");
        let answer = player.ask(&asked, None).answer;
        // The one that is killed has appended a legal move before.
        let is_stopped = matches!(answer, Answer::Stopped { .. });
        assert_eq!(is_stopped, effect.verdict() == Verdict::Crash, "{effect:?}: {answer:?}");
        let ruling = sample.rule(CLASSIC, answer);
        assert_eq!(ruling.verdict, effect.verdict(), "{effect:?}: {ruling:?}");
        assert_eq!(player.close(), [""; 0]);
        ruled.push(effect.id);
    }
    let must = effects::FAULTS.iter().map(|(id, ..)| id).chain(&effects::STRICT);
    assert!(must.clone().all(|id| ruled.contains(id)), "{ruled:?}");
}
