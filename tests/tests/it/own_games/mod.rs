//! Games of one's own: rules that are a program or a module, in everything that plays and reads games.

use tests::bench::Bench;
use tests::installed::is_there;
use tests::own_games::root;

mod attacks;
mod commands;
mod competitions;
mod ended;
mod faults;
mod hostile;
mod logs;
mod new_rules;

/// A folder for one test; none where there is no Python, in which the games of these tests are written.
fn bench() -> Option<Bench> {
    is_there("python3").then(|| Bench::new())
}

/// The folder of a game among the examples, as a word of a command.
fn example(name: &str) -> String {
    root().join("examples/games").join(name).display().to_string()
}
