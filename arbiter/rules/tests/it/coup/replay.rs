//! Games of Coup in the classic dialect, recorded and derived again: whatever programs append,
//! rewrite and print, an honest log is one that replays.

use proptest::prelude::*;
use rules::Prompt;
use rules::coup::Coup;
use rules::dialect::Strictness;
use rules::replay::{Discrepancy, ReplaySetup, replay};
use rules::{
    Answer, DetailedVerdict, Dialect, GameKind, GameRecord, GameTerms, PerSeat, Referee, Seed,
    StopCause, TimeControl, Verdict,
};

use crate::refereed;

const SEED: Seed = Seed([3; 32]);
const OPTIONS: &str = "seats=2 rules=contest";
const TIME: u64 = 1000;

/// The behaviour of a program in one call.
#[derive(Debug, Clone)]
enum Deed {
    /// It appends one of the legal texts, and prints as many of its cards as it may keep in an
    /// exchange, with some line ends.
    Plays { place: usize, line_ends: usize },
    /// It appends one of the legal texts, and prints this.
    Prints { place: usize, output: Vec<u8> },
    /// It appends this.
    Appends { appended: Vec<u8>, output: Vec<u8> },
    /// It leaves this in the file instead.
    Rewrites { file: Vec<u8>, output: Vec<u8> },
    /// It never touches the file.
    OnlyPrints { output: Vec<u8> },
    /// It fails.
    Crashes { output: Vec<u8> },
}

impl Deed {
    /// The answer that the referee gets.
    fn answer(&self, prompt: &Prompt) -> Answer {
        let Prompt::Classic { file, arguments } = prompt else { panic!("{prompt:?}") };
        let [_, _, cards, legal @ ..] = &arguments[..] else { panic!("{arguments:?}") };
        let with = |appended: &[u8]| [file.as_bytes(), appended].concat();
        let one_of = |place: &usize| with(legal[place % legal.len()].as_bytes());
        let (file, output) = match self {
            Deed::Plays { place, line_ends } => {
                let kept = &cards[..cards.len().saturating_sub(2)];
                (one_of(place), format!("{kept}{}", "\n".repeat(*line_ends)).into_bytes())
            }
            Deed::Prints { place, output } => (one_of(place), output.clone()),
            Deed::Appends { appended, output } => (with(appended), output.clone()),
            Deed::Rewrites { file, output } => (file.clone(), output.clone()),
            Deed::OnlyPrints { output } => return Answer::Output(output.clone()),
            Deed::Crashes { output } => {
                return Answer::Stopped { by: StopCause::Exit(1), output: output.clone() };
            }
        };
        Answer::Classic { file, output }
    }
}

/// Plays a game in which the programs do this in turn, and then the first legal thing.
fn recorded(retries: u32, deeds: &[Deed]) -> (GameRecord, Vec<DetailedVerdict>) {
    let dialects = PerSeat::new(2, |_| Dialect::Classic(Strictness::Strict));
    let even = GameTerms::even(SEED.name(0), 2, TIME, SEED.bots(0));
    let mut referee =
        Referee::new(&GameKind::of::<Coup>(), OPTIONS, GameTerms { dialects, retries, ..even })
            .unwrap();
    let (mut nature, mut deeds) = (SEED.nature(0), deeds.iter());
    let rulings = refereed::play(
        &mut referee,
        |draw| draw.draw(&mut nature),
        |question| {
            let last = Deed::Plays { place: 0, line_ends: 0 };
            deeds.next().unwrap_or(&last).answer(question.prompt())
        },
    );
    let rulings = rulings.into_iter().map(|(_, ruling)| ruling).collect();
    (refereed::record(&mut referee, &SEED), rulings)
}

/// Derives a game again, from the record as a log holds it.
fn replayed(retries: u32, record: &GameRecord) -> Result<(), Discrepancy> {
    let text = serde_json::to_string(record).unwrap();
    let read: GameRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(read, *record);
    let (times, dialects) = (
        PerSeat::new(2, |_| TimeControl::even(TIME)),
        PerSeat::new(2, |_| Dialect::Classic(Strictness::Strict)),
    );
    let (kind, seed) = (GameKind::of::<Coup>(), Some(&SEED));
    replay(ReplaySetup { kind, options: OPTIONS, times, dialects, retries, seed }, &read, |_| ())
}

/// An exchange, which the other seat lets pass, and what is printed to end it.
fn exchange(outputs: &[&str]) -> Vec<Deed> {
    let play = |place| Deed::Plays { place, line_ends: 0 };
    let prints = |output: &&str| Deed::Prints { place: 0, output: output.as_bytes().to_vec() };
    [play(2), play(0)].into_iter().chain(outputs.iter().map(prints)).collect()
}

/// The line end that a log leaves out was quoted in the reason, so the log did not verify.
#[test]
fn an_exchange_that_ends_badly_with_line_ends_replays() {
    let (full, over) = ("x".repeat(32), "x".repeat(33));
    let whole = format!("found `{full}`");
    let cut = format!("found `{full}…`");
    for (printed, quoted) in [
        ("", "found ``"),
        ("\n", "found ``"),
        ("\n\n", "found ``"),
        ("~", "found `~`"),
        ("~\n", "found `~`"),
        ("~\n\n\n", "found `~`"),
        (" \t~\r\n", "found `~`"),
        ("xx  \n", "found `xx`"),
        ("$ ~\n", "found `$ ~`"),
        ("~\n~\n", "found `~\\n~`"),
        (&format!("{full}\n"), whole.as_str()),
        (&format!("{over}\n"), cut.as_str()),
    ] {
        for retries in [0, 1] {
            let tries = vec![printed; retries as usize + 1];
            let (record, rulings) = recorded(retries, &exchange(&tries));
            assert_eq!(rulings.len(), 3 + retries as usize);
            let last = rulings.last().unwrap();
            assert_eq!(last.verdict, Verdict::Illegal, "{printed:?}");
            assert!(last.detail.ends_with(quoted), "{printed:?}: {}", last.detail);
            assert_eq!(replayed(retries, &record), Ok(()), "{printed:?}");
        }
    }
}

#[test]
fn a_second_try_after_a_bad_exchange_replays() {
    let deeds = [exchange(&["~\n"]), vec![Deed::Plays { place: 0, line_ends: 2 }]].concat();
    let (record, rulings) = recorded(1, &deeds);
    let verdicts: Vec<Verdict> = rulings.iter().map(|ruling| ruling.verdict).take(4).collect();
    assert_eq!(verdicts, [Verdict::Ok, Verdict::Ok, Verdict::Illegal, Verdict::Ok]);
    assert!(record.result.faults().is_empty());
    assert_eq!(replayed(1, &record), Ok(()));
}

/// Bytes that are near to what programs print and append.
fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let near = proptest::sample::select(b"~^*!$_'<=0IFCETASpqdacs\n\n\n \t\r\\x\0\xff".to_vec());
    proptest::collection::vec(near, 0..most)
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let place = 0..5_usize;
    let deed = prop_oneof![
        20 => (place.clone(), 0..4_usize)
            .prop_map(|(place, line_ends)| Deed::Plays { place, line_ends }),
        2 => (place, bytes(70)).prop_map(|(place, output)| Deed::Prints { place, output }),
        1 => (bytes(4), bytes(8)).prop_map(|(appended, output)| Deed::Appends { appended, output }),
        1 => (bytes(70), bytes(8)).prop_map(|(file, output)| Deed::Rewrites { file, output }),
        1 => bytes(8).prop_map(|output| Deed::OnlyPrints { output }),
        1 => bytes(8).prop_map(|output| Deed::Crashes { output }),
    ];
    proptest::collection::vec(deed, 0..40)
}

proptest! {
    #[test]
    fn recorded_games_replay(deeds in deeds(), retries in 0..3_u32) {
        let (record, _) = recorded(retries, &deeds);
        prop_assert_eq!(replayed(retries, &record), Ok(()));
    }

    /// Exchanges are rare in games at random, and their outputs are what counts.
    #[test]
    fn every_end_of_an_exchange_replays(outputs in proptest::collection::vec(bytes(70), 3)) {
        let prints = |output: &Vec<u8>| Deed::Prints { place: 0, output: output.clone() };
        let deeds = exchange(&[]).into_iter().chain(outputs.iter().map(prints));
        let (record, _) = recorded(2, &deeds.collect::<Vec<_>>());
        prop_assert_eq!(replayed(2, &record), Ok(()));
    }
}
