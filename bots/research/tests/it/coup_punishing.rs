//! Learning what does well against players whose habits were counted.

use std::sync::{Arc, Mutex};

use bots::AnyPlayer;
use bots::coup::expert::Expert;
use bots::coup::expert::packed::{LEVELS, PackedTable};
use bots::coup::expert::situation::{Choice, Situation, Stage};
use bots::coup::expert::style_tracker::StyleResponses;
use research::coup::contest::Contest;
use research::coup::episodes::Student;
use research::coup::pack::pack;
use research::coup::population::{Population, Style};
use research::coup::store::Store;
use research::program::seed;
use rules::Seed;

use crate::coup_training::trained;

fn first_seed() -> Seed {
    seed("aa").expect("a seed")
}

/// A table of what a player does, as 400 games show it.
fn habits(bot: &str) -> &'static [u8] {
    let counts = Arc::new(Mutex::new(Store::new()));
    let contest = Contest::new(bot).expect("a player").watched(Arc::clone(&counts));
    Student::new(contest, first_seed()).learn(400).expect("whole games");
    let counts = counts.lock().expect("counts");
    pack(&counts, usize::MAX, 1.0).leak()
}

fn table() -> PackedTable<'static> {
    PackedTable::new(pack(&trained(20, 1).store, usize::MAX, 0.0).leak()).expect("a table")
}

/// The bytes learned against two styles in a number of games.
fn learned(games: u64) -> Vec<u8> {
    let style = |bot: &str| Style {
        contest: Contest::new(bot).expect("a player"),
        habits: habits(bot),
        chance: 450,
    };
    let styles = vec![style("greedy"), style("challenger")];
    let population = Population::new(table(), styles, first_seed());
    let mut population = population.expect("tables");
    population.learn(games).expect("whole games");
    population.packed(usize::MAX)
}

#[test]
fn habits_are_what_a_player_does() {
    let challenger = PackedTable::new(habits("challenger")).expect("a table");
    let answer = Situation { stage: Stage::AnswerTax, ..Situation::START };
    let challenge = answer.choices().iter().position(|choice| *choice == Choice::Challenge);
    let known = (0..answer.hands()).map(|hand| challenger.chances(&answer.rough(), hand));
    // Unknown chances are even, and sum to less.
    let known: Vec<_> = known.filter(|chances| chances.iter().sum::<u8>() == LEVELS).collect();
    assert!(known.len() > 7, "{} hands", known.len());
    for chances in known {
        assert_eq!(chances[challenge.expect("a choice")], LEVELS, "{chances:?}");
    }
}

#[test]
fn the_learned_punishment_follows_from_the_seed_and_wins() {
    let bytes = learned(4000);
    assert_eq!(bytes, learned(4000));
    let punishment = StyleResponses::new(bytes.leak()).expect("what was packed");
    let safe = table();
    let fresh = seed("bb").expect("a seed");
    for bot in ["greedy", "challenger"] {
        let wins = |expert: Expert<'static>| {
            let player = || -> AnyPlayer<_> { Box::new(expert.clone()) };
            let contest = Contest::new(bot).expect("a player");
            contest.play(&fresh, 200, &player).expect("whole games").per_cent()
        };
        let (before, after) =
            (wins(Expert::safe(safe)), wins(Expert::punishing(safe, punishment.clone())));
        assert!(after > before + 10.0, "{before:.1}% and {after:.1}% against {bot}");
    }
}
