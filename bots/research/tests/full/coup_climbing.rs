//! Players that climb and responders that learn from games, against built-in players.

use bots::AnyPlayer;
use bots::coup::Coup;
use research::coup::chances::{COUNT, Chances};
use research::coup::climb::Climb;
use research::coup::contest::Contest;
use research::coup::episodes::Student;
use research::program::seed;

/// A player by name, with its options.
fn against(bot: &str) -> Contest {
    Contest::new(bot).expect("a player")
}

fn climbed(steps: u64, deals: u64) -> Climb<Contest> {
    let mut climb = Climb::new(against("greedy"), seed("aa").expect("a seed"), Chances::START);
    (0..steps).for_each(|_| climb.step(deals).expect("whole games"));
    climb
}

#[test]
fn a_climbed_player_keeps_to_the_rules_against_every_player() {
    let seed = seed("aa").expect("a seed");
    let bots = ["random", "greedy", "minimax --depth 1", "minimax", "challenger", "calculator"];
    let chances = [climbed(10, 20).chances, Chances([0; COUNT]), Chances([50; COUNT])];
    for bot in bots {
        for chances in chances.into_iter().chain([Chances([100; COUNT])]) {
            let player = || -> AnyPlayer<Coup> { Box::new(chances) };
            let played = against(bot).play(&seed, 3, &player);
            assert!(played.is_ok(), "{bot}: {:?}", played.err());
        }
    }
}

#[test]
fn climbing_twice_gives_the_same_numbers() {
    let (first, second) = (climbed(30, 20), climbed(30, 20));
    assert!(first.kept > 2, "{} of {} steps", first.kept, first.steps);
    assert_eq!(first.chances, second.chances);
}

#[test]
fn climbing_keeps_changes_that_win_more() {
    let fresh = seed("bb").expect("a seed");
    let wins = |chances: Chances| {
        let player = || -> AnyPlayer<Coup> { Box::new(chances) };
        against("greedy").play(&fresh, 500, &player).expect("whole games").per_cent()
    };
    let (before, after) = (wins(Chances::START), wins(climbed(80, 60).chances));
    assert!(after > before + 10.0, "{before:.1}% before, {after:.1}% after");
}

#[test]
fn numbers_are_read_as_they_are_written() {
    let text = Chances::START.to_string();
    assert_eq!(text.parse(), Ok(Chances::START));
    assert!("1,2,3".parse::<Chances>().is_err());
    assert!(text.replacen("90", "101", 1).parse::<Chances>().is_err());
    assert!(Contest::new("nobody").is_err());
}

#[test]
fn a_responder_learns_to_beat_the_random_player() {
    let mut student = Student::new(against("random"), seed("aa").expect("a seed"));
    student.learn(3000).expect("whole games");
    let tally = student.measure(&seed("bb").expect("a seed"), 500).expect("whole games");
    assert!(tally.per_cent() > 70.0, "wins {tally}");
}
