//! One game in four languages: both carriers give the same bytes over more than 3,000 steps.

use std::fs;
use std::process::Command;

use ::games::GameFiles;
use rules::custom::answer::{Next, RulesAnswer};
use rules::{Digest, Seed};
use sandbox::Supervisor;
use sandbox::isolation::Isolation;
use tests::bench::{Bench, run};
use tests::own_games::{self, LANGUAGES, leduc};

/// Some 300 games: whatever differs does so early.
const STEPS: usize = 3_000;

/// The digest of all answers in random games.
fn digest(folder: &str) -> Digest {
    let supervisor = Supervisor::from_env(Isolation::Off).unwrap();
    let source = GameFiles::named(folder).unwrap().source(supervisor).unwrap();
    let mut carrier = source.start().unwrap();
    let mut answers = carrier.call("about").unwrap();
    let seed = Seed([7; 32]);
    let mut steps = 0;
    for game in 0.. {
        if steps >= STEPS {
            break;
        }
        let (mut draws, mut choices) = (seed.nature(game), seed.order(game));
        let mut call = "new seats=2".to_owned();
        loop {
            let text = carrier.call(&call).unwrap();
            answers.push_str(&text);
            steps += 1;
            let RulesAnswer::Played { state, .. } = RulesAnswer::read(&text, 2).unwrap() else {
                panic!("`{call}` was refused: {text}")
            };
            call = match state.next {
                Next::Over(_) => break,
                Next::Nature(pool) => format!("happen {}", pool.draw(&mut draws)),
                Next::Turn(turn) => format!("play {}", choices.choose(&turn.moves).unwrap()),
            };
        }
    }
    Digest::hash(answers.as_bytes())
}

#[test]
fn both_give_the_same_game_in_every_language() {
    let bench = Bench::new();
    let folders = LANGUAGES.map(|language| leduc(&bench, language));
    let digests: Vec<(&str, Digest)> = LANGUAGES
        .into_iter()
        .zip(folders)
        .filter_map(|(language, folder)| Some((language, digest(folder?.to_str().unwrap()))))
        .collect();
    for (language, digest) in &digests {
        assert_eq!(*digest, digests[0].1, "{language} and {}", digests[0].0);
    }
}

/// A name was changed in the source of hold'em that it does not have: the module that lies beside it still played.
#[test]
fn the_module_of_holdem_is_built_from_the_source_beside_it() {
    let bench = Bench::new();
    let copy = bench.path("holdem");
    let example = own_games::root().join("examples/games/holdem");
    run(bench.command("cp").arg("-r").arg(&example).arg(&copy)).with_code(0);
    let module = copy.join("game.wasm");
    let kept = fs::read(&module).expect("the module");
    fs::remove_file(&module).expect("ours");
    if !own_games::build(&bench, "rust", &copy) {
        return;
    }
    let readme = fs::read_to_string(copy.join("README.md")).expect("the document");
    // The toolchain lies in the home of the user, which a bench does not have.
    let version = run(Command::new("rustc").arg("--version")).stdout;
    let version = version.split(' ').nth(1).expect("a version");
    match readme.contains(&format!("built by rustc {version},")) {
        true => assert!(kept == fs::read(&module).expect("the module"), "other bytes"),
        false => {
            bench.succeed(["check", "--game", copy.to_str().expect("text"), "--games", "2"]);
        }
    }
}
