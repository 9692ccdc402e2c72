//! The expert player of Durak in whole games, and its options.

use std::time::{Duration, Instant};

use bots::Player;
use bots::durak::expert;
use bots::durak::expert::habits::{HabitPolicy, MoveKind};
use bots::durak::expert::weights::{CardHeights, FEATURES, STAGES, TurnView};
use bots::durak::expert::weights::{KINDS, Weights};
use bots::durak::search::decision::Settings;
use bots::durak::search::knowledge::RootKnowledge;
use bots::durak::search::policy::PlayoutPolicy;
use bots::durak::search::position::Play;
use bots::options::TimeLimit;
use rules::durak::Durak;
use rules::{GameKind, Seed};
use search::WorldSampler;
use search::alpha_beta::Unlimited;
use simulation::SimulatedGame;

use crate::durak::in_process::{
    Deal, Looks, OPTIONS, answers_alike, plays_legally, share, simulate,
};

/// Games between these players, each deal in every rotation of them.
fn games(options: &str, players: &[&str], deals: u64) -> Vec<SimulatedGame> {
    simulate(9, options, players, deals)
}

/// Options by which equal requests have equal answers.
const SOME_WORLDS: Settings = Settings { worlds: 150, positions: 2000, time: TimeLimit::None };

#[test]
fn it_plays_legally_with_all_options_and_every_number_of_seats() {
    plays_legally(9, "expert --worlds 2 --time none --positions 500");
}

#[test]
fn few_worlds_are_enough_to_beat_the_others() {
    let expert = "expert --worlds 40 --time none --positions 20000";
    let two = share(&games("seats=2", &[expert, "lowest"], 20));
    assert!(two > 0.65, "{two} against lowest");
    let two = share(&games("seats=2 transfer=on", &[expert, "lowest"], 20));
    assert!(two > 0.65, "{two} against lowest with transfers");
    // Everybody has 0.75 where all are as good.
    let four = share(&games("seats=4", &[expert, "lowest", "lowest", "lowest"], 10));
    assert!(four > 0.85, "{four}");
}

#[test]
fn equal_requests_have_equal_answers_whether_the_player_is_kept_or_not() {
    answers_alike(|| expert::player(SOME_WORLDS));
}

#[test]
fn equal_seeds_give_equal_games() {
    let players = ["expert --worlds 70 --time none --positions 2000", "greedy"];
    let once = games("seats=2 deck=24", &players, 3);
    assert_eq!(once, games("seats=2 deck=24", &players, 3));
    assert!(once.iter().all(|game| game.cuts.values().iter().all(|cuts| *cuts == 0)));
}

#[test]
fn when_time_is_up_it_plays_what_it_has_found_so_far() {
    let (mut cut, mut asked) = (0, 0);
    for seed in 0..5 {
        Deal::new("seats=2", seed).play_on(|deal, seat| {
            let request = deal.request(seat);
            if request.legal.len() == 1 || request.view.talon < 2 {
                return;
            }
            asked += 1;
            // At once there is nothing: then the player does what lowest would.
            assert_eq!(expert::player(SOME_WORLDS).decide(&request, &mut Looks(1)), None);
            let mut player = expert::player(SOME_WORLDS);
            let some = player.decide(&request, &mut Looks(11)).expect("a move");
            cut += u32::from(player.cut().is_some());
            if player.cut().is_some() {
                let mut ten = expert::player(Settings { worlds: 10, ..SOME_WORLDS });
                assert_eq!(ten.decide(&request, &mut Unlimited), Some(some));
                assert!(ten.cut().is_none());
            }
        });
    }
    assert!(cut > asked / 2, "{cut} of {asked}");
}

#[test]
fn it_ends_by_its_time() {
    for options in ["seats=2 deck=52 transfer=on", "seats=4"] {
        for time in ["0ms", "1ms"] {
            let expert = format!("expert --time {time}");
            let seats = GameKind::of::<Durak>().seats(options).expect("options");
            let players = [expert.as_str(), "lowest", "lowest", "lowest"];
            assert!(!games(options, &players[..seats], 2).is_empty());
        }
    }
    let mut first = None;
    Deal::new("seats=2", 1).play_on(|deal, seat| {
        first.get_or_insert_with(|| deal.request(seat));
    });
    let request = first.expect("a request");
    let time = TimeLimit::Fixed(Duration::from_millis(30));
    let mut player = expert::player(Settings { worlds: u32::MAX, positions: u64::MAX, time });
    let start = Instant::now();
    player.choose(&request).expect("a move");
    let time = start.elapsed();
    // It may be sure of its move before.
    assert!(time < Duration::from_secs(60), "{time:.1?}");
    assert!(player.cut().is_none() || time > Duration::from_millis(29), "{time:.1?}");
}

#[test]
fn a_move_that_is_clear_takes_less_than_all_worlds() {
    use bots::durak::expert::MoveRace;
    use bots::durak::expert::habits::HabitPolicy;
    use bots::durak::search::endgame::Endgame;
    use bots::durak::search::endgame::PlayoutRunner;
    use bots::durak::search::knowledge::RootKnowledge;
    use bots::durak::search::policy::RuleOfThumbPolicy;
    use bots::durak::search::tree::MemorySize;

    let (mut fewer, mut asked) = (0, 0);
    let mut endgame = Endgame::new(MemorySize::Small);
    endgame.begin(Vec::new());
    Deal::new("seats=2", 2).play_on(|deal, seat| {
        let request = deal.request(seat);
        let start = RootKnowledge::read(&request).expect("a request that fits");
        if start.is_certain() || request.legal.len() < 3 {
            return;
        }
        let plays: Vec<_> = request.legal.iter().map(|mv| start.play(*mv)).collect();
        let habits = HabitPolicy::learned(&request.options);
        let policy = RuleOfThumbPolicy::usual(request.options.deck());
        let mut trial = PlayoutRunner {
            start: &start,
            policy: &habits,
            beyond: &policy,
            endgame: &mut endgame,
        };
        let mut nature = request.heading.seed.nature();
        let race = MoveRace::new(plays.len());
        let finish = race.run(&plays, &mut trial, 600, &mut nature, &mut Unlimited);
        assert!(finish.best.is_some_and(|best| best < plays.len()));
        assert!(finish.worlds <= 600 && !finish.was_cut);
        asked += 1;
        fewer += u32::from(finish.trials < u64::from(finish.worlds) * plays.len() as u64);
    });
    assert!(asked > 5 && fewer > asked / 2, "{fewer} of {asked}");
}

#[test]
fn a_request_that_contradicts_itself_is_answered_like_lowest() {
    let mut seen = 0;
    Deal::new("seats=2", 4).play_on(|deal, seat| {
        let mut request = deal.request(seat);
        request.view.talon += 1;
        let expected = bots::durak::Lowest.choose(&request);
        assert_eq!(expert::player(SOME_WORLDS).choose(&request), expected);
        seen += 1;
    });
    assert!(seen > 10);
}

fn read(text: &str) -> Result<Settings, String> {
    let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    expert::read(&words).map_err(|bad| bad.to_string())
}

#[test]
fn options_are_read() {
    let usual = Settings { worlds: 1600, positions: 1_000_000, time: TimeLimit::HalfOfRequest };
    assert_eq!(read(""), Ok(usual));
    let time = TimeLimit::Fixed(Duration::from_millis(50));
    let expected = Settings { worlds: 7, positions: 90, time };
    assert_eq!(read("--worlds 7 --positions 90 --time 50ms"), Ok(expected));
    assert_eq!(read("--worlds=7 --positions=90 --time=50ms"), Ok(expected));
    // With a time they end by it alone.
    let all = Settings { worlds: u32::MAX, positions: u64::MAX, time };
    assert_eq!(read("--time 50ms"), Ok(all));
    // Without one they end all the same.
    let without = Settings { time: TimeLimit::None, ..usual };
    assert_eq!(read("--time none"), Ok(without));
    assert!(usual.worlds < 100_000 && usual.positions < 1_000_000_000, "{usual:?}");
    let all = Settings { positions: u64::MAX, ..without };
    assert_eq!(read("--positions none --time none"), Ok(all));
}

#[test]
fn bad_options_are_named() {
    for (text, problem) in [
        ("--depth 3", "unknown argument `--depth`"),
        ("--worlds 0", "expected a number from 1 to 4294967295 after `--worlds`, found `0`"),
        ("--time soon", "expected a time as 50ms, 1.5s, 1m or none after `--time`, found `soon`"),
    ] {
        assert_eq!(read(text), Err(problem.to_owned()));
    }
}

#[test]
fn a_move_that_is_listed_again_and_again_takes_no_memory() {
    let mut asked = 0;
    Deal::new("seats=2", 5).play_on(|deal, seat| {
        let mut request = deal.request(seat);
        let listed = request.legal.clone();
        if listed.len() < 3 || asked == 3 {
            return;
        }
        asked += 1;
        request.legal = listed.iter().copied().cycle().take(50_000).collect();
        let mv = expert::player(SOME_WORLDS).choose(&request).expect("a move");
        assert!(listed.contains(&mv));
    });
    assert_eq!(asked, 3);
}

/// Weights without a pattern.
fn some_weights() -> Weights {
    let mut nature = Seed([4; 32]).nature(0);
    let mut weights = [[[0; FEATURES]; STAGES]; KINDS];
    let bound = std::num::NonZeroU32::MIN.saturating_add(400);
    for weight in weights.as_flattened_mut().as_flattened_mut() {
        *weight = nature.below(bound) as i16 - 200;
    }
    weights
}

#[test]
fn they_play_what_the_features_weigh_most() {
    let weights = some_weights();
    let mut seen = 0;
    for options in OPTIONS {
        Deal::new(options, 5).play_on(|deal, seat| {
            let request = deal.request(seat);
            let start = RootKnowledge::read(&request).expect("a request that fits");
            let (position, world) =
                start.draw(&mut request.heading.seed.nature()).expect("a world");
            let (habits, shape) = (
                HabitPolicy::new(&weights, &request.options),
                CardHeights::new(request.options.deck()),
            );
            let scene = TurnView::new(&position, &world);
            let score = |play: Play| {
                let row = &weights[MoveKind::classify(play, &position) as usize][scene.stage];
                let features = scene.features(&position, &world, &shape, play)?;
                Some(row.iter().zip(features).map(|(w, x)| i32::from(*w) * x).sum::<i32>())
            };
            let best = |play: Play| score(play).unwrap_or(0);
            let chosen = habits.choose(&position, &world);
            let choices = position.choices(&world);
            assert!(choices.contain(chosen), "{options}: {chosen:?} of {choices:?}");
            assert_eq!(Some(best(chosen)), choices.plays().map(best).max());
            seen += 1;
        });
    }
    assert!(seen > 500);
}

/// The hidden cards change nothing as long as the seat that chooses cannot tell.
#[test]
fn they_see_only_what_the_seat_can_know() {
    for options in OPTIONS {
        Deal::new(options, 6).play_on(|deal, seat| {
            let request = deal.request(seat);
            let start = RootKnowledge::read(&request).expect("a request that fits");
            let habits = HabitPolicy::learned(&request.options);
            let mut nature = request.heading.seed.nature();
            let mut chosen = start
                .worlds(5, &mut nature)
                .map(|(position, world)| habits.choose(&position, &world));
            let first = chosen.next();
            assert!(chosen.all(|other| Some(other) == first), "{options}");
        });
    }
}
